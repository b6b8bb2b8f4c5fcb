import { useAction } from "../../api/use-api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";
import { PasswordField } from "../public/password-field.tsx";

interface ProofProps {
  title: string;
  text: string;
  action: string;
  onClose(): void;
  onProof(proof: { password: string; code: string }): Promise<unknown>;
}

/** Both factors again, before one of them changes. */
function ProofDialog({ title, text, action, onClose, onProof }: ProofProps) {
  return (
    <Dialog isOpen onClose={onClose} title={title} description={text}>
      <SimpleForm onSubmit={({ password = "", code = "" }) => onProof({ password, code: code.trim() })}>
        {({ errorOf }) => (
          <>
            <PasswordField error={errorOf("password")} />
            <Field label="Code" error={errorOf("code")} hint="From your authenticator, or a recovery code.">
              <Input name="code" required autoComplete="one-time-code" maxLength={20} className="font-mono" />
            </Field>
            <FormButtons action={action} onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}

export function RemoveSecondFactor({ onClose }: { onClose(): void }) {
  const remove = useAction("removeSecondFactor", {
    refreshes: ["getStart"],
    says: "The second factor is off.",
    isQuiet: true,
  });
  const prove = async (body: { password: string; code: string }) => {
    await remove.mutateAsync({ body });
    onClose();
  };
  return (
    <ProofDialog
      title="Turn off the second factor"
      text="After that, the password alone signs you in."
      action="Turn off"
      onClose={onClose}
      onProof={prove}
    />
  );
}

export function RenewCodes({ onClose, onCodes }: { onClose(): void; onCodes(codes: readonly string[]): void }) {
  const renew = useAction("renewRecoveryCodes", { isQuiet: true });
  const prove = async (body: { password: string; code: string }) =>
    onCodes((await renew.mutateAsync({ body })).recoveryCodes);
  return (
    <ProofDialog
      title="New recovery codes"
      text="The old ones stop working."
      action="Make new codes"
      onClose={onClose}
      onProof={prove}
    />
  );
}
