import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { Field, Segments, Select } from "../../components/field.tsx";
import { ListIcon } from "../../components/icons.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import { RequestTable } from "./request-table.tsx";
import { useLiveRequests } from "./use-live-requests.ts";

type Service = "all" | "voice" | "gateway" | "extraction";

export default function RequestsPage() {
  const { params, workspaceId } = useWorkspace();
  const [live, setLive] = useSearchState<"on" | "off">("live", "on");
  const [status, setStatus] = useSearchState<"all" | "ok" | "error">("status", "all");
  const [service, setService] = useSearchState<Service>("service", "all");
  const tail = useLiveRequests(workspaceId, live === "on");
  const query = { limit: 50, ...(status === "all" ? {} : { status }), ...(service === "all" ? {} : { service }) };
  const older = useInfiniteQuery({
    queryKey: ["listRequests", { params, query }],
    queryFn: ({ pageParam }) =>
      call("listRequests", { params, query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const fits = (row: { status: number; service: string }) =>
    (status === "all" || (status === "error") === row.status >= 400) && (service === "all" || row.service === service);
  const listed = older.data?.pages.flatMap(({ requests }) => requests) ?? [];
  const known = new Set(listed.map(({ id }) => id));
  const rows = [...tail.rows.filter((row) => fits(row) && !known.has(row.id)), ...listed];
  return (
    <>
      <PageHeader
        title="Requests"
        description="Every request as it ends: route, status, duration and key, never what was in it."
        actions={<Live state={tail.state} isOn={live === "on"} onChange={(isOn) => setLive(isOn ? "on" : "off")} />}
      />
      <Card
        isFlush
        title="Newest first"
        actions={
          <>
            <Segments
              label="Status"
              value={status}
              onChange={setStatus}
              options={[
                { value: "all", label: "All" },
                { value: "ok", label: "Served" },
                { value: "error", label: "Failed" },
              ]}
            />
            <Field label="Service" isLabelHidden>
              <Select value={service} onChange={(event) => setService(event.target.value as Service)}>
                <option value="all">All services</option>
                <option value="voice">Voice</option>
                <option value="gateway">Gateway</option>
                <option value="extraction">Extraction</option>
              </Select>
            </Field>
          </>
        }
      >
        {older.isPending ? (
          <SkeletonRows rows={8} />
        ) : older.error ? (
          <ErrorState error={older.error} onRetry={() => older.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState
            icon={<ListIcon />}
            title="Nothing here yet"
            action={<LinkButton to={`/w/${workspaceId}`}>Make a first request</LinkButton>}
          >
            Leave this page open: requests appear the moment they end.
          </EmptyState>
        ) : (
          <RequestTable rows={rows} />
        )}
        {older.hasNextPage && (
          <div className="border-t p-3 text-center">
            <Button isSmall isBusy={older.isFetchingNextPage} onClick={() => older.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </Card>
    </>
  );
}

const words = { off: "Paused", connecting: "Connecting", on: "Live", lost: "Reconnecting" };

function Live({ state, isOn, onChange }: { state: keyof typeof words; isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <Button aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${state === "on" ? "bg-good" : state === "lost" ? "bg-warn" : "bg-faint"}`}
      />
      {words[state]}
    </Button>
  );
}
