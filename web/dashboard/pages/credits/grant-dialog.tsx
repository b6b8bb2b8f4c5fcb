import { useAction } from "../../api/use-api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";

export function GrantDialog({ workspaceId, name, onClose }: { workspaceId: string; name: string; onClose(): void }) {
  const grant = useAction("grantCredits", {
    refreshes: ["getCredits", "listCreditHistory", "listAllWorkspaces"],
    says: "Credits granted.",
    isQuiet: true,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Grant credits to ${name}`}
      description="They can be spent at once. The reason stands in the history and in the audit log."
    >
      <SimpleForm
        onSubmit={async ({ amountUsd = "", note = "" }) => {
          await grant.mutateAsync({ params: { workspaceId }, body: { amountUsd, note } });
          onClose();
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="Amount in USD" error={errorOf("amountUsd")}>
              <Input
                name="amountUsd"
                required
                inputMode="decimal"
                pattern="\d{1,9}(\.\d{1,12})?"
                placeholder="25.00"
                autoFocus
              />
            </Field>
            <Field label="Reason" error={errorOf("note")}>
              <Input name="note" required maxLength={200} placeholder="Invoice 1042" />
            </Field>
            <FormButtons action="Grant" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}
