import { useState } from "react";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/use-api.ts";
import { LinkButton } from "../../components/button.tsx";
import { SimpleForm, SubmitButton } from "../../components/form.tsx";
import { PublicFrame } from "./frame.tsx";
import { LinkGate } from "./link-gate.tsx";
import { PasswordField } from "./password-field.tsx";
import { useLinkCheck, useLinkToken } from "./use-link.ts";

export default function ResetPage() {
  const token = useLinkToken();
  const check = useLinkCheck("checkResetLink", token);
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <PublicFrame title="Password changed" description="You are signed out everywhere. Sign in with the new password.">
        <LinkButton look="primary" to="/sign-in">
          Sign in
        </LinkButton>
      </PublicFrame>
    );
  }
  return (
    <LinkGate
      check={check}
      title="Choose a new password"
      rows={2}
      failure="This link does not work"
      hint="Ask an owner or admin of your workspace for a new one."
    >
      {({ email }) => (
        <PublicFrame title="Choose a new password" description={`For ${email}. Every other session is signed out.`}>
          <SimpleForm
            onSubmit={async ({ password = "" }) => {
              await call("resetPassword", { body: { token, password } });
              queryClient.removeQueries({ queryKey: ["getStart"] });
              setDone(true);
            }}
          >
            {({ errorOf }) => (
              <>
                <input type="hidden" autoComplete="username" value={email} readOnly />
                <PasswordField isNew label="New password" error={errorOf("password")} />
                <SubmitButton className="w-full">Change password</SubmitButton>
              </>
            )}
          </SimpleForm>
        </PublicFrame>
      )}
    </LinkGate>
  );
}
