import { useState } from "react";
import { useAction } from "../../api/use-api.ts";
import { useStart, useWorkspace } from "../../api/use-session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input, Select } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";
import { NewKey } from "./new-key.tsx";
import { RuleFields, readRules } from "./rule-fields.tsx";
import { ScopePicker } from "./scope-picker.tsx";

type Scope = Parameters<typeof ScopePicker>[0]["chosen"][number];
interface Made {
  secret: string;
  scopes: readonly Scope[];
}

const terms = [
  { days: 0, label: "Never" },
  { days: 7, label: "In 7 days" },
  { days: 30, label: "In 30 days" },
  { days: 90, label: "In 90 days" },
  { days: 365, label: "In a year" },
];

export function CreateKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [made, setMade] = useState<Made>();
  const close = () => {
    onClose();
    setMade(undefined);
  };
  if (made) return <NewKey secret={made.secret} scopes={made.scopes} isOpen={isOpen} onClose={close} />;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      isWide
      title="Create API key"
      description="It works at once. You can rename it and change its limits later; its scopes stay."
    >
      <KeyForm onCancel={close} onMade={setMade} />
    </Dialog>
  );
}

function KeyForm({ onCancel, onMade }: { onCancel(): void; onMade(made: Made): void }) {
  const { params } = useWorkspace();
  const { installation } = useStart();
  const create = useAction("createKey", { refreshes: ["listKeys"], isQuiet: true });
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  return (
    <SimpleForm
      onSubmit={async ({ name = "", days = "0", ...typed }) => {
        if (scopes.length === 0) throw new Error("Choose at least one scope: without any, the key could do nothing.");
        const expiresAt = days === "0" ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
        const { secret } = await create.mutateAsync({
          params,
          body: {
            name,
            scopes: [...scopes],
            expiresAt,
            ...readRules(typed),
          },
        });
        onMade({ secret, scopes });
      }}
    >
      {({ errorOf }) => (
        <>
          <Field label="Name" hint="What uses it: “website”, “night job”." error={errorOf("name")}>
            <Input name="name" required maxLength={80} autoFocus />
          </Field>
          <ScopePicker services={installation.services.map(({ name }) => name)} chosen={scopes} onChange={setScopes} />
          <Field label="Expires">
            <Select name="days" defaultValue="0">
              {terms.map(({ days, label }) => (
                <option key={days} value={days}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <RuleFields errorOf={errorOf} />
          <FormButtons action="Create key" onCancel={onCancel} />
        </>
      )}
    </SimpleForm>
  );
}
