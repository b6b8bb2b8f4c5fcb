import type { Session } from "../../../../src/dashboard/contract/session.ts";
import { useAction, useApi } from "../../api/use-api.ts";
import { Button } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { ScreenIcon } from "../../components/icons.tsx";
import { Badge, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { describeBrowser } from "../../lib/describe-browser.ts";
import { formatAgo, formatDateTime } from "../../lib/format.ts";

export default function SessionsPage() {
  const sessions = useApi("listSessions");
  const revokeOthers = useAction("revokeOtherSessions", {
    refreshes: ["listSessions"],
    says: "Signed out everywhere else.",
  });
  const rows = sessions.data?.sessions ?? [];
  return (
    <>
      <PageHeader
        title="Sessions"
        description="Browsers that are signed in to your account."
        actions={
          rows.length > 1 && (
            <Button isBusy={revokeOthers.isPending} onClick={() => revokeOthers.mutate({})}>
              Sign out everywhere else
            </Button>
          )
        }
      />
      <Card isFlush>
        {sessions.isPending ? (
          <SkeletonRows rows={3} />
        ) : sessions.error ? (
          <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />
        ) : (
          <ul>
            {rows.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

function SessionRow({ session }: { session: Session }) {
  const revoke = useAction("revokeSession", {
    refreshes: ["listSessions"],
    says: "Signed out there.",
    expects: {
      of: "listSessions",
      change: ({ sessions }, { params }) => ({ sessions: sessions.filter(({ id }) => id !== params.sessionId) }),
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-3 border-b px-4 py-3 last:border-b-0 sm:px-5">
      <ScreenIcon className="text-lg text-faint" />
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="flex items-center gap-2 font-medium" title={session.userAgent}>
          {describeBrowser(session.userAgent)}
          {session.isCurrent && <Badge tone="good">this one</Badge>}
        </p>
        <p className="text-[13px] text-faint">
          {session.address}, seen {formatAgo(session.lastSeenAt)}, since {formatDateTime(session.createdAt)}
        </p>
      </div>
      {!session.isCurrent && (
        <Button isSmall isBusy={revoke.isPending} onClick={() => revoke.mutate({ params: { sessionId: session.id } })}>
          Sign out
        </Button>
      )}
    </li>
  );
}
