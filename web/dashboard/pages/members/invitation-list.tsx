import { useState } from "react";
import type { Invitation } from "../../../../src/dashboard/contract/workspaces.ts";
import { useAction, useApi } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { MailIcon, RefreshIcon, TrashIcon } from "../../components/icons.tsx";
import { Badge, EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatAgo } from "../../lib/format.ts";
import { LinkDialog } from "./link-dialog.tsx";

export function InvitationList({ onInvite }: { onInvite(): void }) {
  const { params } = useWorkspace();
  const invitations = useApi("listInvitations", { params });
  const resend = useAction("resendInvitation", { refreshes: ["listInvitations"] });
  const revoke = useAction("revokeInvitation", {
    refreshes: ["listInvitations"],
    says: "The invitation no longer works.",
    isQuiet: true,
  });
  const [link, setLink] = useState<{ url: string; invitation: Invitation }>();
  const [revoked, setRevoked] = useState<Invitation>();
  const rows = invitations.data?.invitations ?? [];
  return (
    <Card isFlush title="Invitations" description="Open ones. A new link ends the old one.">
      {invitations.isPending ? (
        <SkeletonRows rows={2} />
      ) : invitations.error ? (
        <ErrorState error={invitations.error} onRetry={() => invitations.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={<MailIcon />}
          title="Nobody is invited right now"
          action={<Button onClick={onInvite}>Invite somebody</Button>}
        />
      ) : (
        <Table
          label="Invitations"
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              title: "E-mail",
              className: "max-w-56",
              cell: ({ email }) => <span className="block truncate font-medium">{email}</span>,
            },
            { title: "Role", from: "sm", cell: ({ role }) => role },
            { title: "By", from: "md", cell: ({ invitedBy }) => <span className="text-muted">{invitedBy}</span> },
            {
              title: "Expires",
              cell: ({ expiresAt, isExpired }) =>
                isExpired ? (
                  <Badge tone="warn">expired</Badge>
                ) : (
                  <span className="text-muted">{formatAgo(expiresAt)}</span>
                ),
            },
            {
              title: "Actions",
              isTitleHidden: true,
              isRight: true,
              cell: (invitation) => (
                <span className="flex justify-end">
                  <IconButton
                    label={`New link for ${invitation.email}`}
                    onClick={async () =>
                      setLink(
                        await resend
                          .mutateAsync({ params: { ...params, invitationId: invitation.id } })
                          .catch(() => undefined),
                      )
                    }
                  >
                    <RefreshIcon />
                  </IconButton>
                  <IconButton
                    label={`Revoke the invitation of ${invitation.email}`}
                    onClick={() => setRevoked(invitation)}
                  >
                    <TrashIcon />
                  </IconButton>
                </span>
              ),
            },
          ]}
        />
      )}
      {link && (
        <LinkDialog
          title="New link"
          text={`Send this link to ${link.invitation.email}. The old one no longer works.`}
          url={link.url}
          expiresAt={link.invitation.expiresAt}
          onClose={() => setLink(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title="Revoke this invitation?"
        action="Revoke invitation"
        onConfirm={() => revoke.mutateAsync({ params: { ...params, invitationId: revoked?.id ?? "" } })}
      >
        <p>The link that {revoked?.email} got stops working. You can invite them again.</p>
      </ConfirmDialog>
    </Card>
  );
}
