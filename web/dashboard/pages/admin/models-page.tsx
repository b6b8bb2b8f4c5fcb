import { useApi } from "../../api/use-api.ts";
import { Card, PageHeader } from "../../components/card.tsx";
import { Progress } from "../../components/progress.tsx";
import { Badge, EmptyState, ErrorState, Notice, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatBytes } from "../../lib/format.ts";

export default function ModelFilesPage() {
  const files = useApi("listModelFiles", undefined, { everyMs: 3000 });
  const pull = files.data?.pull;
  const here = files.data?.models.filter(({ isHere }) => isHere).reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <>
      <PageHeader
        title="Model files"
        description={
          here === undefined
            ? "What the engines need on the disk."
            : `${formatBytes(here)} on the disk. Each file is checked against its sha256.`
        }
      />
      {pull?.isRunning && (
        <Card title={`Fetching ${pull.model ?? "models"}`} description={pull.stage ?? undefined}>
          <Progress label="Fetching models" fraction={pull.progress ?? 0} />
        </Card>
      )}
      {pull?.failure && <Notice tone="bad">The last download failed: {pull.failure}</Notice>}
      <Card isFlush>
        {files.isPending ? (
          <SkeletonRows rows={8} />
        ) : files.error ? (
          <ErrorState error={files.error} onRetry={() => files.refetch()} />
        ) : files.data.models.length === 0 ? (
          <EmptyState title="No model files are used" />
        ) : (
          <Table
            label="Model files"
            rows={files.data.models}
            rowKey={({ id }) => id}
            columns={[
              {
                title: "Model",
                className: "min-w-36 max-w-64",
                cell: ({ id, capability }) => (
                  <span className="grid">
                    <span className="truncate font-medium">{id}</span>
                    <span className="truncate text-[13px] text-faint">{capability}</span>
                  </span>
                ),
              },
              {
                title: "State",
                cell: ({ isHere, progress, missing, id }) =>
                  progress !== null ? (
                    <div className="w-28">
                      <Progress label={`Fetching ${id}`} fraction={progress} />
                    </div>
                  ) : isHere ? (
                    <Badge tone="good">here</Badge>
                  ) : (
                    <span className="grid max-w-64 justify-items-start gap-1">
                      <Badge tone="warn">missing</Badge>
                      {missing && <span className="text-[13px] text-muted">{missing}</span>}
                    </span>
                  ),
              },
              { title: "Size", isRight: true, cell: ({ bytes }) => formatBytes(bytes) },
              {
                title: "Licence",
                from: "sm",
                className: "max-w-48",
                cell: ({ licence }) => (
                  <span className="block truncate" title={licence}>
                    {licence}
                  </span>
                ),
              },
              {
                title: "Source",
                from: "lg",
                className: "max-w-64",
                cell: ({ source }) => (
                  <code className="block truncate font-mono text-xs text-faint" title={source}>
                    {source}
                  </code>
                ),
              },
            ]}
          />
        )}
      </Card>
    </>
  );
}
