import type { Usage } from "../../../../src/dashboard/contract/usage.ts";
import { Card } from "../../components/card.tsx";
import { Table } from "../../components/table.tsx";
import { formatCount, formatMs, formatPercent, formatSeconds } from "../../lib/format.ts";

export function GroupTable({ title, groups }: { title: string; groups: Usage["groups"] }) {
  return (
    <Card isFlush title={title}>
      <Table
        label={title}
        rows={groups}
        rowKey={({ value }) => value}
        columns={[
          {
            title: "Name",
            className: "max-w-64",
            cell: ({ label }) => (
              <span className="block truncate font-medium" title={label}>
                {label || "none"}
              </span>
            ),
          },
          { title: "Requests", isRight: true, cell: ({ totals }) => formatCount(totals.requests) },
          {
            title: "Failed",
            isRight: true,
            cell: ({ totals }) => formatPercent(totals.requests ? totals.errors / totals.requests : 0),
          },
          { title: "Median", isRight: true, from: "sm", cell: ({ totals }) => formatMs(totals.p50Ms) },
          { title: "p95", isRight: true, from: "md", cell: ({ totals }) => formatMs(totals.p95Ms) },
          {
            title: "Tokens",
            isRight: true,
            from: "md",
            cell: ({ totals }) => formatCount(totals.inputTokens + totals.outputTokens),
          },
          { title: "Audio", isRight: true, from: "lg", cell: ({ totals }) => formatSeconds(totals.audioSeconds) },
        ]}
      />
    </Card>
  );
}
