import { useState } from "react";
import type { Role } from "../../../../src/dashboard/contract/fields.ts";
import type { Member } from "../../../../src/dashboard/contract/workspaces.ts";
import { useAction } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { IconButton } from "../../components/button.tsx";
import { CheckIcon, DotsIcon, KeyIcon, TrashIcon } from "../../components/icons.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../../components/menu.tsx";
import { Badge } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatDate } from "../../lib/format.ts";
import { DepartureDialog } from "./departure-dialog.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { PersonCell, personColumns } from "./person-columns.tsx";

export function MemberTable({ members }: { members: readonly Member[] }) {
  const { params, isAtLeast, name } = useWorkspace();
  const remove = useAction("removeMember", {
    refreshes: ["listMembers", "listInvitations", "listKeys"],
    says: "Removed.",
    isQuiet: true,
  });
  const [removed, setRemoved] = useState<Member>();
  const [link, setLink] = useState<{ url: string; expiresAt: string; name: string }>();
  const mayManage = (member: Member) =>
    !member.isYou && isAtLeast("admin") && (member.role !== "owner" || isAtLeast("owner"));
  return (
    <>
      <Table<Member>
        label="People"
        rows={members}
        rowKey={({ userId }) => userId}
        columns={[
          {
            title: "Name",
            className: "max-w-64",
            cell: ({ name: person, email, isYou }) => (
              <PersonCell name={person} email={email} mark={isYou && <Badge>you</Badge>} />
            ),
          },
          { title: "Role", cell: ({ role }) => <Badge tone={role === "owner" ? "accent" : "info"}>{role}</Badge> },
          ...personColumns,
          {
            title: "Joined",
            from: "lg",
            cell: ({ joinedAt }) => <span className="text-muted">{formatDate(joinedAt)}</span>,
          },
          {
            title: "Actions",
            isTitleHidden: true,
            isRight: true,
            className: "w-12",
            cell: (member) =>
              mayManage(member) ? (
                <MemberMenu member={member} onRemove={() => setRemoved(member)} onLink={setLink} />
              ) : null,
          },
        ]}
      />
      {link && (
        <LinkDialog
          title="Password reset link"
          text={`Send this link to ${link.name}. Whoever opens it can choose a new password.`}
          url={link.url}
          expiresAt={link.expiresAt}
          onClose={() => setLink(undefined)}
        />
      )}
      {removed && (
        <DepartureDialog
          userId={removed.userId}
          title={`Remove ${removed.name}?`}
          action="Remove"
          text={`They lose access to ${name} at once.`}
          heir="you"
          onClose={() => setRemoved(undefined)}
          onConfirm={(query) => remove.mutateAsync({ params: { ...params, userId: removed.userId }, query })}
        />
      )}
    </>
  );
}

interface MemberMenuProps {
  member: Member;
  onRemove(): void;
  onLink(link: { url: string; expiresAt: string; name: string }): void;
}

function MemberMenu({ member, onRemove, onLink }: MemberMenuProps) {
  const { params, isAtLeast } = useWorkspace();
  const change = useAction("changeRole", {
    refreshes: ["listMembers"],
    says: "Role changed.",
    expects: {
      of: "listMembers",
      change: ({ members }, { params: { userId }, body: { role } }) => ({
        members: members.map((one) => (one.userId === userId ? { ...one, role } : one)),
      }),
    },
  });
  const reset = useAction("createResetLink");
  const to = { ...params, userId: member.userId };
  const offered: Role[] = isAtLeast("owner") ? ["member", "admin", "owner"] : ["member", "admin"];
  const makeLink = async (removesSecondFactor: boolean) => {
    const made = await reset.mutateAsync({ params: to, body: { removesSecondFactor } }).catch(() => undefined);
    if (made) onLink({ ...made, name: member.name });
  };
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${member.name}`}>
          <DotsIcon />
        </IconButton>
      }
    >
      <MenuLabel>Role</MenuLabel>
      {offered.map((role) => (
        <MenuItem
          key={role}
          isDisabled={role === member.role}
          icon={role === member.role ? <CheckIcon /> : <span className="inline-block w-[1.15em]" />}
          onSelect={() => change.mutate({ params: to, body: { role } })}
        >
          {role[0]?.toUpperCase()}
          {role.slice(1)}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={<KeyIcon />} onSelect={() => makeLink(false)}>
        Password reset link
      </MenuItem>
      {member.hasSecondFactor && (
        <MenuItem icon={<KeyIcon />} onSelect={() => makeLink(true)}>
          Reset link that removes the second factor
        </MenuItem>
      )}
      <MenuItem icon={<TrashIcon />} isDanger onSelect={onRemove}>
        Remove from the workspace
      </MenuItem>
    </Menu>
  );
}
