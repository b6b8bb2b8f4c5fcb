import { useQueryClient } from "@tanstack/react-query";
import { call, type RouteReply } from "../../api/client.ts";
import { useStart } from "../../api/use-session.ts";
import { LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { SimpleForm, SubmitButton } from "../../components/form.tsx";
import { Notice } from "../../components/states.tsx";
import { enter } from "./enter.ts";
import { PublicFrame } from "./frame.tsx";
import { LinkGate } from "./link-gate.tsx";
import { PasswordField } from "./password-field.tsx";
import { useLinkCheck, useLinkToken } from "./use-link.ts";

const roleWords = { member: "a member", admin: "an admin", owner: "an owner" };

export default function InvitePage() {
  const token = useLinkToken();
  const check = useLinkCheck("checkInvitation", token);
  return (
    <LinkGate
      check={check}
      title="Invitation"
      rows={3}
      failure="This invitation does not work"
      hint="Ask the person who invited you to send it again: that makes a new link."
    >
      {(found) => <Invitation token={token} found={found} />}
    </LinkGate>
  );
}

function Invitation({ token, found }: { token: string; found: RouteReply<"checkInvitation"> }) {
  const { user } = useStart();
  const client = useQueryClient();
  const { workspace, role, email, invitedBy, hasAccount } = found;
  const title = `Join ${workspace}`;
  const about = `${invitedBy} invited ${email} to be ${roleWords[role]}.`;
  const accept = async (account: { name?: string; password?: string }) => {
    const { workspaceId } = await call("acceptInvitation", { body: { token, ...account } });
    client.clear();
    await enter(`/w/${workspaceId}`);
  };
  const isSomebodyElse = user !== null && user.email !== email;
  if (isSomebodyElse) {
    return (
      <PublicFrame title={title} description={about}>
        <Notice tone="warn">You are signed in as {user.email}. Sign out first, then open the link again.</Notice>
        <LinkButton to="/">Stay as {user.name}</LinkButton>
      </PublicFrame>
    );
  }
  if (hasAccount && !user) {
    return (
      <PublicFrame title={title} description={about}>
        <p className="text-sm text-muted">
          You already have an account with this address. Sign in, and you come back here.
        </p>
        <LinkButton look="primary" to="/sign-in" search={{ next: `/invite#${token}` } as never}>
          Sign in
        </LinkButton>
      </PublicFrame>
    );
  }
  if (hasAccount) {
    return (
      <PublicFrame title={title} description={about}>
        <SimpleForm onSubmit={() => accept({})}>
          {() => <SubmitButton className="w-full">Join {workspace}</SubmitButton>}
        </SimpleForm>
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={title} description={about}>
      <SimpleForm onSubmit={({ name = "", password = "" }) => accept({ name, password })}>
        {({ errorOf }) => (
          <>
            <Field label="E-mail">
              <Input value={email} readOnly autoComplete="username" className="text-muted" />
            </Field>
            <Field label="Your name" error={errorOf("name")}>
              <Input name="name" required autoFocus maxLength={80} autoComplete="name" />
            </Field>
            <PasswordField isNew error={errorOf("password")} />
            <SubmitButton className="w-full">Join {workspace}</SubmitButton>
          </>
        )}
      </SimpleForm>
    </PublicFrame>
  );
}
