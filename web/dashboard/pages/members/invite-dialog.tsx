import { useState } from "react";
import type { Role } from "../../../../src/dashboard/contract/fields.ts";
import { useAction } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input, Select } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";
import { LinkDialog } from "./link-dialog.tsx";

export function InviteDialog({ onClose }: { onClose(): void }) {
  const { params, isAtLeast, name } = useWorkspace();
  const invite = useAction("createInvitation", { refreshes: ["listInvitations"], isQuiet: true });
  const [made, setMade] = useState<{ url: string; email: string; expiresAt: string }>();
  if (made) {
    return (
      <LinkDialog
        title="Invitation ready"
        text={`Send this link to ${made.email}. This server sends no e-mail.`}
        url={made.url}
        expiresAt={made.expiresAt}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={`Invite to ${name}`}>
      <SimpleForm
        onSubmit={async ({ email = "", role = "member", expiresInDays = "7" }) => {
          const { url, invitation } = await invite.mutateAsync({
            params,
            body: { email, role: role as Role, expiresInDays: Number(expiresInDays) },
          });
          setMade({ url, email: invitation.email, expiresAt: invitation.expiresAt });
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="E-mail" error={errorOf("email")} hint="The account is made for this address.">
              <Input name="email" type="email" required autoFocus placeholder="colleague@example.com" />
            </Field>
            <Field label="Role" error={errorOf("role")}>
              <Select name="role" defaultValue="member">
                <option value="member">Member: uses the workspace, makes keys of their own</option>
                <option value="admin">Admin: also manages people and all keys</option>
                {isAtLeast("owner") && <option value="owner">Owner: decides about everything</option>}
              </Select>
            </Field>
            <Field label="The link works for" error={errorOf("expiresInDays")}>
              <Select name="expiresInDays" defaultValue="7">
                <option value="1">1 day</option>
                <option value="7">7 days</option>
                <option value="30">30 days</option>
              </Select>
            </Field>
            <FormButtons action="Make invitation link" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}
