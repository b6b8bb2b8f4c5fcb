import { Link, Navigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { useStart } from "../../api/use-session.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { SimpleForm, SubmitButton } from "../../components/form.tsx";
import { Notice } from "../../components/states.tsx";
import { homeOf } from "../../router.tsx";
import { enter } from "./enter.ts";
import { PublicFrame } from "./frame.tsx";
import { PasswordField } from "./password-field.tsx";

export default function SignInPage() {
  const { isSetUp, user, workspaces } = useStart();
  const { next } = useSearch({ strict: false }) as { next?: string };
  const [waiting, setWaiting] = useState<{ email: string; password: string }>();
  if (user && !waiting) return <Navigate to={homeOf(workspaces)} replace />;
  if (waiting) return <SecondStep given={waiting} next={next} onBack={() => setWaiting(undefined)} />;
  return (
    <PublicFrame
      title="Sign in"
      description="Accounts are by invitation of somebody who already has one."
      footer={
        <>
          Forgot your password? An owner or admin of your workspace can make you a reset link.{" "}
          <Link to="/" className="text-accent-ink underline">
            What is this?
          </Link>
        </>
      }
    >
      {!isSetUp && (
        <Notice>Nobody has an account yet. Open the set-up link that the server printed when it started.</Notice>
      )}
      <SimpleForm
        onSubmit={async ({ email = "", password = "" }) => {
          const { status } = await call("signIn", { body: { email, password } });
          if (status === "second_factor_required") setWaiting({ email, password });
          else await enter(next);
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="E-mail" error={errorOf("email")}>
              <Input
                name="email"
                type="email"
                required
                autoFocus
                autoComplete="username"
                placeholder="you@example.com"
              />
            </Field>
            <PasswordField error={errorOf("password")} />
            <SubmitButton className="w-full">Sign in</SubmitButton>
          </>
        )}
      </SimpleForm>
    </PublicFrame>
  );
}

function SecondStep({
  given,
  next,
  onBack,
}: {
  given: { email: string; password: string };
  next: string | undefined;
  onBack(): void;
}) {
  return (
    <PublicFrame
      title="Second factor"
      description="Enter the six digits that your authenticator shows, or one of your recovery codes."
    >
      <SimpleForm
        onSubmit={async ({ code = "" }) => {
          await call("signIn", { body: { ...given, code: code.trim() } });
          await enter(next);
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="Code" error={errorOf("code")}>
              <Input
                name="code"
                required
                autoFocus
                autoComplete="one-time-code"
                inputMode="text"
                maxLength={20}
                className="font-mono tracking-widest"
              />
            </Field>
            <SubmitButton className="w-full">Sign in</SubmitButton>
            <Button look="quiet" onClick={onBack}>
              Back
            </Button>
          </>
        )}
      </SimpleForm>
    </PublicFrame>
  );
}
