import type { EngineRow } from "../../../../src/dashboard/contract/admin.ts";
import { useApi } from "../../api/use-api.ts";
import { Card } from "../../components/card.tsx";
import { Progress } from "../../components/progress.tsx";
import { Badge, EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatBytes } from "../../lib/format.ts";

const tones = { idle: "info", loading: "accent", ready: "good", missing: "warn", failed: "bad" } as const;

export function EngineTable() {
  const engines = useApi("listEngines", undefined, { everyMs: 3000 });
  return (
    <Card isFlush title="Engines" description="Each lives in a process of its own and starts when it is first needed.">
      {engines.isPending ? (
        <SkeletonRows rows={6} />
      ) : engines.error ? (
        <ErrorState error={engines.error} onRetry={() => engines.refetch()} />
      ) : engines.data.engines.length === 0 ? (
        <EmptyState title="No engines">Every capability of this server is remote or turned off.</EmptyState>
      ) : (
        <Table
          label="Engines"
          rows={engines.data.engines}
          rowKey={({ name, capability, model }) => `${name} ${capability} ${model}`}
          columns={[
            {
              title: "Engine",
              className: "min-w-36 max-w-64",
              cell: ({ name, capability, model }) => (
                <span className="grid">
                  <span className="truncate font-medium">{name}</span>
                  <span className="truncate text-[13px] text-faint">
                    {[capability, model].filter(Boolean).join(", ")}
                  </span>
                </span>
              ),
            },
            { title: "State", cell: (engine) => <State engine={engine} /> },
            { title: "Working", isRight: true, from: "sm", cell: ({ active }) => active },
            { title: "Queue", isRight: true, cell: ({ queued }) => queued },
            {
              title: "Memory",
              isRight: true,
              from: "sm",
              cell: ({ memoryBytes }) => (memoryBytes > 0 ? formatBytes(memoryBytes) : ""),
            },
            { title: "Restarts", isRight: true, from: "md", cell: ({ restarts }) => restarts },
          ]}
        />
      )}
    </Card>
  );
}

function State({ engine }: { engine: EngineRow }) {
  return (
    <div className="grid max-w-56 gap-1">
      <span>
        <Badge tone={tones[engine.state]}>{engine.state}</Badge>
      </span>
      {engine.progress !== null && engine.state === "loading" && (
        <Progress label={`Loading ${engine.name}`} fraction={engine.progress} />
      )}
      {engine.reason && <span className="text-[13px] text-muted">{engine.reason}</span>}
    </div>
  );
}
