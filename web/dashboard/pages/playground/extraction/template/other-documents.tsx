import { useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { Card } from "../../../../components/card.tsx";
import { FileDrop } from "../../../../components/file-drop.tsx";
import { Spinner } from "../../../../components/spinner.tsx";
import { Badge } from "../../../../components/states.tsx";
import { Table } from "../../../../components/table.tsx";
import { formatPercent } from "../../../../lib/format.ts";
import { useRun } from "../../kit/use-run.ts";
import { toneOf } from "../extraction.ts";
import type { Draft, Tried } from "./draft.ts";
import { showValue } from "./field-rows.tsx";

interface Outcome {
  file: File;
  tried?: Tried;
  error?: string;
}

interface OtherDocumentsProps {
  draft: Draft;
  tryOn(file: File, signal: AbortSignal): Promise<Tried>;
}

/** What the draft finds in other documents of its kind; nothing of them is stored. */
export function OtherDocuments({ draft, tryOn }: OtherDocumentsProps) {
  const run = useRun();
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const test = (files: readonly File[]) =>
    run.start(async (signal) => {
      const now: Outcome[] = files.map((file) => ({ file }));
      setOutcomes([...now]);
      for (const outcome of now) {
        try {
          outcome.tried = await tryOn(outcome.file, signal);
        } catch (error) {
          signal.throwIfAborted();
          outcome.error = (error as Error).message;
        }
        setOutcomes(now.map((one) => ({ ...one })));
      }
    });
  const known = outcomes.map(({ file }) => file);
  return (
    <Card
      title="On other documents"
      description="Every document is read with the draft. Nothing is stored."
      actions={
        known.length > 0 && (
          <>
            <Button isSmall isBusy={run.isBusy} onClick={() => test(known)}>
              Test again
            </Button>
            <Button isSmall look="quiet" onClick={() => setOutcomes([])}>
              Clear
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-4">
        <FileDrop
          label="Drop other documents of this kind, as many as you like"
          hint="Each becomes a row with what the template finds in it"
          file={undefined}
          takesSeveral
          onFile={(...files) => test([...known, ...files])}
        />
        {outcomes.length > 0 && (
          <Table
            label="What the template finds in other documents"
            rows={outcomes}
            rowKey={({ file }) => `${known.indexOf(file)} ${file.name}`}
            columns={[
              {
                title: "Document",
                cell: ({ file, tried, error }) => (
                  <span className="flex items-center gap-2 font-medium break-all">
                    {file.name}
                    {!tried && !error && run.isBusy && <Spinner label={`Reading ${file.name}`} />}
                  </span>
                ),
              },
              ...namesOf(draft).map((name, index) => ({
                title: name,
                cell: ({ tried, error }: Outcome) =>
                  error ? index === 0 && <span className="text-bad">{error}</span> : tried && cell(tried, name),
              })),
            ]}
          />
        )}
      </div>
    </Card>
  );
}

/** Two fields may bear one name while they are written. */
function namesOf({ fields }: Draft): string[] {
  return [...new Set(fields.map(({ name }) => name))];
}

function cell({ fields }: Tried, name: string) {
  const found = fields[name];
  if (!found || found.value === null) return <Badge tone="bad">not found</Badge>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {showValue(found.value)}
      <Badge tone={toneOf(found.confidence)}>{formatPercent(found.confidence)}</Badge>
    </span>
  );
}
