import type { Spend } from "../../../../src/dashboard/contract/credits.ts";
import { useApi } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Card } from "../../components/card.tsx";
import { Chart } from "../../components/chart.tsx";
import { Segments } from "../../components/field.tsx";
import { CoinsIcon } from "../../components/icons.tsx";
import { RangePicker, type useRange } from "../../components/range-picker.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatCount, formatDay, formatUsd } from "../../lib/format.ts";

export type Grouping = "day" | "model" | "provider";
const groupings: { value: Grouping; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "model", label: "Model" },
  { value: "provider", label: "Provider" },
];

interface SpendCardProps {
  range: ReturnType<typeof useRange>;
  groupBy: Grouping;
  onGroupBy(grouping: Grouping): void;
}

export function SpendCard({ range, groupBy, onGroupBy }: SpendCardProps) {
  const { params } = useWorkspace();
  const spend = useApi("getSpend", { params, query: { ...range.query, groupBy } }, { keepsOld: true });
  return (
    <Card
      isFlush
      title="Spend"
      description={
        spend.data &&
        `${formatUsd(spend.data.totals.chargeUsd)} for ${formatCount(spend.data.totals.requests)} requests`
      }
      actions={
        <>
          <RangePicker range={range} />
          <Segments label="Group by" value={groupBy} options={groupings} onChange={onGroupBy} />
        </>
      }
    >
      {spend.error ? (
        <ErrorState error={spend.error} onRetry={() => spend.refetch()} />
      ) : !spend.data ? (
        <div className="p-5">
          <Skeleton className="h-52 w-full" />
        </div>
      ) : spend.data.rows.length === 0 ? (
        <EmptyState icon={<CoinsIcon />} title="Nothing was spent in this period">
          Requests to models of the gateway appear here with what each cost.
        </EmptyState>
      ) : (
        <SpendRows spend={spend.data} groupBy={groupBy} />
      )}
    </Card>
  );
}

function SpendRows({ spend, groupBy }: { spend: Spend; groupBy: Grouping }) {
  const days = daysBetween(spend.from, spend.to);
  const byDay = new Map(spend.rows.map((row) => [row.period, Number(row.chargeUsd)]));
  const nameOf = (row: Spend["rows"][number]) =>
    groupBy === "day" ? formatDay(row.period) : groupBy === "model" ? row.model : row.provider;
  return (
    <>
      {groupBy === "day" && (
        <div className="p-4 sm:p-5">
          <Chart
            label="Spend by day"
            periods={days.map(formatDay)}
            series={[{ label: "Charged", values: days.map((day) => byDay.get(day) ?? 0) }]}
            format={formatUsd}
          />
        </div>
      )}
      <Table
        label="Spend"
        rows={groupBy === "day" ? [...spend.rows].reverse() : spend.rows}
        rowKey={(row) => `${row.period} ${row.model} ${row.provider}`}
        columns={[
          {
            title: groupings.find(({ value }) => value === groupBy)?.label ?? "",
            className: "max-w-64",
            cell: (row) => <span className="block truncate font-medium">{nameOf(row)}</span>,
          },
          { title: "Requests", isRight: true, cell: ({ requests }) => formatCount(requests) },
          { title: "Tokens in", isRight: true, from: "md", cell: ({ inputTokens }) => formatCount(inputTokens) },
          { title: "Tokens out", isRight: true, from: "md", cell: ({ outputTokens }) => formatCount(outputTokens) },
          {
            title: "Charged",
            isRight: true,
            cell: ({ chargeUsd }) => <span title={`$${chargeUsd}`}>{formatUsd(chargeUsd)}</span>,
          },
        ]}
      />
    </>
  );
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to) && days.length < 400; at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
