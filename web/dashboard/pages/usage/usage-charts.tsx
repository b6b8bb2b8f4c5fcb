import type { Usage, UsageFigures } from "../../../../src/dashboard/contract/usage.ts";
import { Card } from "../../components/card.tsx";
import { Chart, Legend, type Series } from "../../components/chart.tsx";
import { Segments } from "../../components/field.tsx";
import { formatCompact, formatDay, formatMs, formatSeconds } from "../../lib/format.ts";
import { useSearchState } from "../../lib/use-search-state.ts";

type Measure = "requests" | "errors" | "tokens" | "audio";

const measures: Record<Measure, { label: string; of(figures: UsageFigures): number; format(value: number): string }> = {
  requests: { label: "Requests", of: ({ requests }) => requests, format: formatCompact },
  errors: { label: "Errors", of: ({ errors }) => errors, format: formatCompact },
  tokens: { label: "Tokens", of: ({ inputTokens, outputTokens }) => inputTokens + outputTokens, format: formatCompact },
  audio: { label: "Audio", of: ({ audioSeconds }) => audioSeconds, format: formatSeconds },
};
/** As many colours as can be told apart. */
const mostSeries = 6;

export function UsageCharts({ usage }: { usage: Usage }) {
  const [measure, setMeasure] = useSearchState<Measure>("measure", "requests");
  const { label, of, format } = measures[measure] ?? measures.requests;
  const periods = usage.periods.map(formatDay);
  const series = foldRest(
    usage.groups.map((group) => ({ label: group.value === "all" ? label : group.label, values: group.points.map(of) })),
  );
  const overall = usage.groups.length === 1 ? usage.groups[0]?.points : undefined;
  return (
    <>
      <Card
        title={`${label} over time`}
        actions={
          <Segments
            label="What the chart shows"
            value={measure}
            onChange={setMeasure}
            options={Object.entries(measures).map(([value, one]) => ({ value: value as Measure, label: one.label }))}
          />
        }
      >
        <Chart label={`${label} over time`} periods={periods} series={series} format={format} />
        {series.length > 1 && <Legend series={series} className="mt-3" />}
      </Card>
      {overall && (
        <Card title="Latency" description="From the first byte of a request to the last byte of its reply.">
          <Latency periods={periods} points={overall} />
        </Card>
      )}
    </>
  );
}

function Latency({ periods, points }: { periods: string[]; points: readonly UsageFigures[] }) {
  const series: Series[] = [
    { label: "Median", values: points.map(({ p50Ms }) => p50Ms ?? 0) },
    { label: "95 % are faster", values: points.map(({ p95Ms }) => p95Ms ?? 0) },
    { label: "99 % are faster", values: points.map(({ p99Ms }) => p99Ms ?? 0) },
  ];
  return (
    <>
      <Chart kind="lines" label="Latency over time" periods={periods} series={series} format={formatMs} height={180} />
      <Legend series={series} className="mt-3" />
    </>
  );
}

function foldRest(series: readonly Series[]): Series[] {
  if (series.length <= mostSeries) return [...series];
  const rest = series.slice(mostSeries - 1);
  const values = (rest[0]?.values ?? []).map((_, at) => rest.reduce((sum, one) => sum + (one.values[at] ?? 0), 0));
  return [...series.slice(0, mostSeries - 1), { label: `${rest.length} others`, values }];
}
