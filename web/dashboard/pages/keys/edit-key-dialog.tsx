import type { ApiKeyDetails } from "../../../../src/dashboard/contract/keys.ts";
import { useAction } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyDetails; onClose(): void }) {
  const { params } = useWorkspace();
  const update = useAction("updateKey", { refreshes: ["listKeys"], says: "Saved.", isQuiet: true });
  return (
    <Dialog isOpen onClose={onClose} title="Rename and limits" description={`The key that ends in ${apiKey.hint}.`}>
      <SimpleForm
        onSubmit={async ({ name, ratePerMinute, monthlyLimitUsd }) => {
          await update.mutateAsync({
            params: { ...params, keyId: apiKey.id },
            body: {
              name,
              ratePerMinute: ratePerMinute ? Number(ratePerMinute) : null,
              monthlyLimitUsd: monthlyLimitUsd || null,
            },
          });
          onClose();
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="Name" error={errorOf("name")}>
              <Input name="name" required maxLength={80} defaultValue={apiKey.name} autoFocus />
            </Field>
            <Field
              label="Requests a minute"
              isOptional
              hint="Empty: the server's limit."
              error={errorOf("ratePerMinute")}
            >
              <Input
                name="ratePerMinute"
                type="number"
                min={1}
                max={1_000_000}
                defaultValue={apiKey.ratePerMinute ?? ""}
              />
            </Field>
            <Field
              label="USD a month"
              isOptional
              hint="Empty: only the workspace's credits limit it."
              error={errorOf("monthlyLimitUsd")}
            >
              <Input
                name="monthlyLimitUsd"
                inputMode="decimal"
                pattern="\d{1,9}(\.\d{1,12})?"
                defaultValue={apiKey.monthlyLimitUsd ?? ""}
              />
            </Field>
            <FormButtons action="Save" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}
