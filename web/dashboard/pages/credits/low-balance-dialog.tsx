import { useAction } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";

export function LowBalanceDialog({ current, onClose }: { current: string | null; onClose(): void }) {
  const { params } = useWorkspace();
  const save = useAction("setLowBalance", { refreshes: ["getCredits"], says: "Saved.", isQuiet: true });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Low-balance warning"
      description="When less than this is left, every page of the workspace says so."
    >
      <SimpleForm
        onSubmit={async ({ lowBalanceUsd }) => {
          await save.mutateAsync({ params, body: { lowBalanceUsd: lowBalanceUsd || null } });
          onClose();
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="Warn below, in USD" hint="Empty: never." error={errorOf("lowBalanceUsd")}>
              <Input
                name="lowBalanceUsd"
                inputMode="decimal"
                pattern="\d{1,9}(\.\d{1,12})?"
                defaultValue={current ?? ""}
                placeholder="5.00"
                autoFocus
              />
            </Field>
            <FormButtons action="Save" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}
