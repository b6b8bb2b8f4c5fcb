import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../../../../src/dashboard/contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ShieldIcon } from "../../components/icons.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatDateTime } from "../../lib/format.ts";

interface AuditListProps {
  queryKey: readonly unknown[];
  load(cursor: string): Promise<{ entries: AuditEntry[]; nextCursor: string | null }>;
  hasWorkspaces?: boolean;
}

export function AuditList({ queryKey, load, hasWorkspaces = false }: AuditListProps) {
  const audit = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const rows = audit.data?.pages.flatMap(({ entries }) => entries) ?? [];
  return (
    <Card isFlush title="Newest first">
      {audit.isPending ? (
        <SkeletonRows rows={8} />
      ) : audit.error ? (
        <ErrorState error={audit.error} onRetry={() => audit.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState icon={<ShieldIcon />} title="Nothing has been recorded yet" />
      ) : (
        <Table
          label="Audit log"
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              title: "When",
              cell: ({ at }) => (
                <time dateTime={at} className="text-muted sm:whitespace-nowrap">
                  {formatDateTime(at)}
                </time>
              ),
            },
            { title: "What", cell: ({ action }) => <span className="font-medium">{sayAction(action)}</span> },
            {
              title: "Who",
              from: "sm",
              className: "max-w-48",
              cell: ({ actor, actorEmail }) => (
                <span className="block truncate" title={actorEmail ?? undefined}>
                  {actor}
                </span>
              ),
            },
            {
              title: "About",
              from: "sm",
              className: "max-w-56",
              cell: ({ target, details }) => (
                <span className="block truncate text-muted" title={describe(details)}>
                  {[target, describe(details)].filter(Boolean).join(": ")}
                </span>
              ),
            },
            ...(hasWorkspaces
              ? [
                  {
                    title: "Workspace",
                    from: "md" as const,
                    cell: ({ workspace }: AuditEntry) => <span className="text-muted">{workspace ?? ""}</span>,
                  },
                ]
              : []),
            {
              title: "Address",
              from: "lg",
              cell: ({ address }) => <code className="font-mono text-xs text-faint">{address ?? ""}</code>,
            },
          ]}
        />
      )}
      {audit.hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button isSmall isBusy={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Card>
  );
}

/** "key-created" reads "Key created". */
function sayAction(action: string): string {
  const words = action.replaceAll("-", " ");
  return words[0]?.toUpperCase() + words.slice(1);
}

function describe(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
}
