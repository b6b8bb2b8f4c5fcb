import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatDateTime, formatUsd } from "../../lib/format.ts";

/** Everything that changed the balance, with its reason. */
export function History() {
  const { params } = useWorkspace();
  const history = useInfiniteQuery({
    queryKey: ["listCreditHistory", { params }],
    queryFn: ({ pageParam }) =>
      call("listCreditHistory", { params, query: { limit: 25, ...(pageParam ? { cursor: pageParam } : {}) } }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const rows = history.data?.pages.flatMap(({ entries }) => entries) ?? [];
  return (
    <Card isFlush title="History">
      {history.isPending ? (
        <SkeletonRows />
      ) : history.error ? (
        <ErrorState error={history.error} onRetry={() => history.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState title="No credits were ever added">The owner of this installation can grant some.</EmptyState>
      ) : (
        <Table
          label="History of the balance"
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              title: "When",
              cell: ({ at }) => (
                <time dateTime={at} className="whitespace-nowrap text-muted">
                  {formatDateTime(at)}
                </time>
              ),
            },
            {
              title: "Reason",
              className: "max-w-72",
              cell: ({ note, kind }) => (
                <span className="block truncate" title={note}>
                  {note || (kind === "grant" ? "Granted" : "Charged")}
                </span>
              ),
            },
            {
              title: "Amount",
              isRight: true,
              cell: ({ amountUsd, kind }) => (
                <span className={kind === "grant" ? "font-medium text-good" : ""} title={`$${amountUsd}`}>
                  {kind === "grant" ? "+" : ""}
                  {formatUsd(amountUsd)}
                </span>
              ),
            },
          ]}
        />
      )}
      {history.hasNextPage && (
        <div className="border-t p-3 text-center">
          <Button isSmall isBusy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Card>
  );
}
