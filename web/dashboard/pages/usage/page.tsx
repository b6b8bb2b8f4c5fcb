import { addressOf } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { AnchorButton, LinkButton } from "../../components/button.tsx";
import { Card, PageHeader, Stat, Stats } from "../../components/card.tsx";
import { Field, Segments, Select } from "../../components/field.tsx";
import { ChartIcon, DownloadIcon, ListIcon } from "../../components/icons.tsx";
import { RangePicker, useRange } from "../../components/range-picker.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../components/states.tsx";
import { formatCount, formatMs, formatPercent, formatSeconds } from "../../lib/format.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import { GroupTable } from "./group-table.tsx";
import { UsageCharts } from "./usage-charts.tsx";

type Step = "day" | "week" | "month";
type Split = "none" | "key" | "service" | "route" | "model" | "voice" | "language" | "status";

const steps: { value: Step; label: string }[] = [
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
];
const splits: { value: Split; label: string }[] = [
  { value: "none", label: "Everything together" },
  { value: "key", label: "By key" },
  { value: "service", label: "By service" },
  { value: "route", label: "By route" },
  { value: "model", label: "By model" },
  { value: "voice", label: "By voice" },
  { value: "language", label: "By language" },
  { value: "status", label: "By status" },
];

export default function UsagePage() {
  const { params, workspaceId } = useWorkspace();
  const range = useRange();
  const [step, setStep] = useSearchState<Step>("step", "day");
  const [split, setSplit] = useSearchState<Split>("split", "none");
  const query = { ...range.query, step, split };
  const usage = useApi("getUsage", { params, query }, { keepsOld: true, everyMs: 30_000 });
  const totals = usage.data?.totals;
  return (
    <>
      <PageHeader
        title="Usage"
        description="Requests of every key. What was said or written in them is never recorded."
        actions={
          <>
            <LinkButton to={`/w/${workspaceId}/requests`}>
              <ListIcon /> Live requests
            </LinkButton>
            <AnchorButton href={addressOf("downloadUsage", { params, query })} download>
              <DownloadIcon /> CSV
            </AnchorButton>
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <RangePicker range={range} />
        <Segments label="Step" value={step} options={steps} onChange={setStep} />
        <Field label="Split" isLabelHidden>
          <Select value={split} onChange={(event) => setSplit(event.target.value as Split)}>
            {splits.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {usage.error ? (
        <Card>
          <ErrorState error={usage.error} onRetry={() => usage.refetch()} />
        </Card>
      ) : (
        <>
          <Stats>
            <Stat
              label="Requests"
              value={totals && formatCount(totals.requests)}
              note={
                totals &&
                `${formatCount(totals.errors)} failed, ${formatPercent(totals.requests ? totals.errors / totals.requests : 0)}`
              }
            />
            <Stat
              label="Latency, median"
              value={totals && formatMs(totals.p50Ms)}
              note={totals && `p95 ${formatMs(totals.p95Ms)}, p99 ${formatMs(totals.p99Ms)}`}
            />
            <Stat
              label="Tokens"
              value={totals && formatCount(totals.inputTokens + totals.outputTokens)}
              note={totals && `${formatCount(totals.inputTokens)} in, ${formatCount(totals.outputTokens)} out`}
            />
            <Stat label="Audio" value={totals && formatSeconds(totals.audioSeconds)} note="heard and spoken" />
          </Stats>
          {!usage.data ? (
            <Skeleton className="h-80 w-full rounded-xl" />
          ) : usage.data.totals.requests === 0 ? (
            <Card>
              <EmptyState
                icon={<ChartIcon />}
                title="No requests in this period"
                action={<LinkButton to={`/w/${workspaceId}`}>Make a first request</LinkButton>}
              >
                As soon as a key is used, its requests appear here.
              </EmptyState>
            </Card>
          ) : (
            <>
              <UsageCharts usage={usage.data} />
              {split !== "none" && (
                <GroupTable
                  title={splits.find(({ value }) => value === split)?.label ?? ""}
                  groups={usage.data.groups}
                />
              )}
            </>
          )}
        </>
      )}
    </>
  );
}
