import type { RequestRow } from "../../../../src/dashboard/contract/usage.ts";
import { Badge } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatCount, formatDateTime, formatMs, formatSeconds, formatTime } from "../../lib/format.ts";

export function RequestTable({ rows }: { rows: readonly RequestRow[] }) {
  return (
    <Table
      label="Requests"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          title: "Time",
          cell: ({ at }) => (
            <time dateTime={at} title={formatDateTime(at)} className="text-muted tabular-nums">
              {formatTime(at)}
            </time>
          ),
        },
        {
          title: "Status",
          cell: ({ status }) => <Badge tone={status < 400 ? "good" : status < 500 ? "warn" : "bad"}>{status}</Badge>,
        },
        {
          title: "Route",
          className: "max-w-36 sm:max-w-56",
          cell: ({ route }) => (
            <code className="block truncate font-mono text-[13px]" title={route}>
              {route}
            </code>
          ),
        },
        { title: "Duration", isRight: true, cell: ({ durationMs }) => formatMs(durationMs) },
        {
          title: "Key",
          from: "sm",
          className: "max-w-40",
          cell: ({ key }) => <span className="block truncate">{key}</span>,
        },
        {
          title: "With",
          from: "md",
          className: "max-w-48",
          cell: (row) => (
            <span className="block truncate text-muted">
              {[row.model, row.voice, row.language].filter(Boolean).join(", ")}
            </span>
          ),
        },
        { title: "Size", isRight: true, from: "lg", cell: (row) => <span className="text-muted">{sizeOf(row)}</span> },
      ]}
    />
  );
}

function sizeOf({ inputTokens, outputTokens, audioSeconds }: RequestRow): string {
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  return [tokens > 0 ? `${formatCount(tokens)} tokens` : "", audioSeconds ? formatSeconds(audioSeconds) : ""]
    .filter(Boolean)
    .join(", ");
}
