import type { ApiKeyDetails } from "../../../../src/dashboard/contract/keys.ts";
import { useAction } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";
import { RuleFields, readRules } from "./rule-fields.tsx";

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyDetails; onClose(): void }) {
  const { params, isAtLeast } = useWorkspace();
  const maySetRules = isAtLeast("admin") || !apiKey.rulesByAdmin;
  const update = useAction("updateKey", { refreshes: ["listKeys"], says: "Saved.", isQuiet: true });
  return (
    <Dialog isOpen onClose={onClose} title="Rename and limits" description={`The key that ends in ${apiKey.hint}.`}>
      <SimpleForm
        onSubmit={async ({ name, ...typed }) => {
          await update.mutateAsync({
            params: { ...params, keyId: apiKey.id },
            body: { name, ...(maySetRules ? readRules(typed) : {}) },
          });
          onClose();
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="Name" error={errorOf("name")}>
              <Input name="name" required maxLength={80} defaultValue={apiKey.name} autoFocus />
            </Field>
            {maySetRules ? (
              <RuleFields rules={apiKey} errorOf={errorOf} />
            ) : (
              <p className="text-sm text-muted">
                An admin has set the limits of this key, so only an admin changes them.
              </p>
            )}
            <FormButtons action="Save" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}
