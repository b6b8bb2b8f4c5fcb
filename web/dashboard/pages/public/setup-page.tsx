import { call } from "../../api/client.ts";
import { useStart } from "../../api/use-session.ts";
import { LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { SimpleForm, SubmitButton } from "../../components/form.tsx";
import { enter } from "./enter.ts";
import { PublicFrame } from "./frame.tsx";
import { LinkGate } from "./link-gate.tsx";
import { PasswordField } from "./password-field.tsx";
import { useLinkCheck, useLinkToken } from "./use-link.ts";

/** The one-time link that the server prints at its first start leads here. */
export default function SetupPage() {
  const { isSetUp } = useStart();
  const token = useLinkToken();
  const check = useLinkCheck("checkSetupLink", token);
  if (isSetUp) {
    return (
      <PublicFrame
        title="Already set up"
        description="This installation has its owner. Sign in, or ask the owner for an invitation."
      >
        <LinkButton look="primary" to="/sign-in">
          Sign in
        </LinkButton>
      </PublicFrame>
    );
  }
  return (
    <LinkGate
      check={check}
      title="Set up Parlance"
      rows={3}
      failure="This link does not work"
      hint={
        <>
          Set-up links work once and not for long. Make a new one where the server runs:{" "}
          <code className="font-mono text-[13px]">./parlance setup-link</code>
        </>
      }
    >
      {() => (
        <PublicFrame
          title="Set up Parlance"
          description="You become the owner of this installation: you invite people, grant credits and see how the server is doing."
        >
          <SimpleForm
            onSubmit={async ({ name = "", email = "", password = "" }) => {
              await call("setUp", { body: { token, name, email, password } });
              await enter();
            }}
          >
            {({ errorOf }) => (
              <>
                <Field label="Your name" error={errorOf("name")}>
                  <Input name="name" required autoFocus maxLength={80} autoComplete="name" />
                </Field>
                <Field label="E-mail" hint="You sign in with it. Nothing is sent to it." error={errorOf("email")}>
                  <Input name="email" type="email" required autoComplete="username" />
                </Field>
                <PasswordField isNew error={errorOf("password")} />
                <SubmitButton className="w-full">Create my account</SubmitButton>
              </>
            )}
          </SimpleForm>
        </PublicFrame>
      )}
    </LinkGate>
  );
}
