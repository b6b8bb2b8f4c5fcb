import { useState } from "react";
import { useAction } from "../../api/use-api.ts";
import { useUser } from "../../api/use-session.ts";
import { Card, PageHeader } from "../../components/card.tsx";
import { Field, Input } from "../../components/field.tsx";
import { SimpleForm, SubmitButton } from "../../components/form.tsx";
import { PasswordField } from "../public/password-field.tsx";

export default function ProfilePage() {
  const user = useUser();
  const save = useAction("updateProfile", { refreshes: ["getStart"], says: "Saved.", isQuiet: true });
  const change = useAction("changePassword", {
    refreshes: ["listSessions"],
    says: "Password changed. Other sessions are signed out.",
    isQuiet: true,
  });
  const [changes, setChanges] = useState(0);
  return (
    <>
      <PageHeader title="Profile" description="How others see you in workspaces, and how you sign in." />
      <Card title="About you">
        <div className="max-w-md">
          <SimpleForm onSubmit={({ name = "" }) => save.mutateAsync({ body: { name } })}>
            {({ errorOf }) => (
              <>
                <Field label="Name" error={errorOf("name")}>
                  <Input name="name" required maxLength={80} defaultValue={user.name} autoComplete="name" />
                </Field>
                <Field label="E-mail" hint="You sign in with it; it cannot be changed here.">
                  <Input value={user.email} readOnly className="text-muted" />
                </Field>
                <div>
                  <SubmitButton>Save</SubmitButton>
                </div>
              </>
            )}
          </SimpleForm>
        </div>
      </Card>
      <Card title="Password" description="Changing it signs every other session out.">
        <div className="max-w-md" key={changes}>
          <SimpleForm
            onSubmit={async ({ current = "", next = "" }) => {
              await change.mutateAsync({ body: { current, next } });
              setChanges(changes + 1);
            }}
          >
            {({ errorOf }) => (
              <>
                <PasswordField name="current" label="Current password" error={errorOf("current")} />
                <PasswordField name="next" label="New password" isNew error={errorOf("next")} />
                <div>
                  <SubmitButton>Change password</SubmitButton>
                </div>
              </>
            )}
          </SimpleForm>
        </div>
      </Card>
    </>
  );
}
