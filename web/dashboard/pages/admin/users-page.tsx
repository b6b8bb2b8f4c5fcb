import { useState } from "react";
import type { UserRow } from "../../../../src/dashboard/contract/admin.ts";
import { useAction, useApi } from "../../api/use-api.ts";
import { IconButton } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { DotsIcon, KeyIcon } from "../../components/icons.tsx";
import { Menu, MenuItem } from "../../components/menu.tsx";
import { Badge, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatDate } from "../../lib/format.ts";
import { LinkDialog } from "../members/link-dialog.tsx";
import { PersonCell, personColumns } from "../members/person-columns.tsx";

export default function UsersPage() {
  const users = useApi("listUsers");
  const reset = useAction("createUserResetLink");
  const [link, setLink] = useState<{ url: string; expiresAt: string; name: string }>();
  const makeLink = async ({ id, name }: UserRow, removesSecondFactor: boolean) => {
    const made = await reset
      .mutateAsync({ params: { userId: id }, body: { removesSecondFactor } })
      .catch(() => undefined);
    if (made) setLink({ ...made, name });
  };
  return (
    <>
      <PageHeader
        title="People"
        description="Everybody with an account on this server. Accounts come from invitations."
      />
      <Card isFlush>
        {users.isPending ? (
          <SkeletonRows />
        ) : users.error ? (
          <ErrorState error={users.error} onRetry={() => users.refetch()} />
        ) : (
          <Table<UserRow>
            label="People"
            rows={users.data.users}
            rowKey={({ id }) => id}
            columns={[
              {
                title: "Name",
                className: "max-w-64",
                cell: ({ name, email, isInstallationOwner }) => (
                  <PersonCell
                    name={name}
                    email={email}
                    mark={isInstallationOwner && <Badge tone="accent">installation owner</Badge>}
                  />
                ),
              },
              {
                title: "Workspaces",
                className: "max-w-56",
                cell: ({ workspaces }) => (
                  <span className="block truncate text-muted">
                    {workspaces.map(({ name, role }) => `${name} (${role})`).join(", ") || "none"}
                  </span>
                ),
              },
              ...personColumns,
              {
                title: "Since",
                from: "lg",
                cell: ({ createdAt }) => <span className="text-muted">{formatDate(createdAt)}</span>,
              },
              {
                title: "Actions",
                isTitleHidden: true,
                isRight: true,
                cell: (user) => (
                  <Menu
                    trigger={
                      <IconButton label={`Actions for ${user.name}`}>
                        <DotsIcon />
                      </IconButton>
                    }
                  >
                    <MenuItem icon={<KeyIcon />} onSelect={() => makeLink(user, false)}>
                      Password reset link
                    </MenuItem>
                    {user.hasSecondFactor && (
                      <MenuItem icon={<KeyIcon />} onSelect={() => makeLink(user, true)}>
                        Reset link that removes the second factor
                      </MenuItem>
                    )}
                  </Menu>
                ),
              },
            ]}
          />
        )}
      </Card>
      {link && (
        <LinkDialog
          title="Password reset link"
          text={`Send this link to ${link.name}. Whoever opens it can choose a new password.`}
          url={link.url}
          expiresAt={link.expiresAt}
          onClose={() => setLink(undefined)}
        />
      )}
    </>
  );
}
