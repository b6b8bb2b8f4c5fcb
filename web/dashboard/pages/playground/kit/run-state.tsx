import { Badge, Notice } from "../../../components/states.tsx";
import { formatMs } from "../../../lib/format.ts";
import type { Run } from "./use-run.ts";

/** What went wrong, or how long it took. */
export function RunState({ run }: { run: Run }) {
  if (run.error) return <Notice tone="bad">{run.error.message}</Notice>;
  if (run.ms === undefined) return null;
  return (
    <p>
      <Badge tone="good">200 in {formatMs(run.ms)}</Badge>
    </p>
  );
}
