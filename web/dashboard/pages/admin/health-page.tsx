import { useApi } from "../../api/use-api.ts";
import { Card, PageHeader, Stat, Stats } from "../../components/card.tsx";
import { Badge, ErrorState, Notice } from "../../components/states.tsx";
import { formatAgo, formatBytes } from "../../lib/format.ts";
import { EngineTable } from "./engine-table.tsx";

const words = {
  ready: "Everything works",
  partial: "Serving, not everything is ready",
  unavailable: "Requests are refused",
};
const tones = { ready: "good", partial: "warn", unavailable: "bad" } as const;

export default function HealthPage() {
  const health = useApi("getHealth", undefined, { everyMs: 5000 });
  const { data } = health;
  return (
    <>
      <PageHeader
        title="Health"
        description="How this server is doing right now."
        actions={data && <Badge tone={tones[data.status]}>{words[data.status]}</Badge>}
      />
      {health.error ? (
        <Card>
          <ErrorState error={health.error} onRetry={() => health.refetch()} />
        </Card>
      ) : (
        <>
          {Object.entries(data?.troubles ?? {}).map(([part, reason]) => (
            <Notice key={part} tone="bad">
              {part}: {reason}
            </Notice>
          ))}
          <Stats>
            <Stat label="Version" value={data?.version} note={data && `Node ${data.node.replace(/^v/, "")}`} />
            <Stat
              label="Running since"
              value={data && formatAgo(data.startedAt)}
              note={data && new Date(data.startedAt).toLocaleString("en-GB")}
            />
            <Stat label="Database" value={data && (data.database.isUp ? "Up" : "Down")} note={data?.database.kind} />
            <Stat
              label="Memory"
              value={data && formatBytes(data.memoryBytes)}
              note={data && `${data.processors} processors`}
            />
          </Stats>
        </>
      )}
      <EngineTable />
    </>
  );
}
