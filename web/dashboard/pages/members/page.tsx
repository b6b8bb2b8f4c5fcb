import { useState } from "react";
import { useApi } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { PlusIcon } from "../../components/icons.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberTable } from "./member-table.tsx";

export default function MembersPage() {
  const { params, isAtLeast } = useWorkspace();
  const members = useApi("listMembers", { params });
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title="Members"
        description="Owners decide about the workspace, admins manage people and keys, members use it and make keys of their own."
        actions={
          isAtLeast("admin") && (
            <Button look="primary" onClick={() => setInviting(true)}>
              <PlusIcon /> Invite
            </Button>
          )
        }
      />
      <Card isFlush title="People">
        {members.isPending ? (
          <SkeletonRows />
        ) : members.error ? (
          <ErrorState error={members.error} onRetry={() => members.refetch()} />
        ) : (
          <MemberTable members={members.data.members} />
        )}
      </Card>
      {isAtLeast("admin") && <InvitationList onInvite={() => setInviting(true)} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}
