import { useQuery } from "@tanstack/react-query";
import { call } from "../../../api/client.ts";
import { Progress } from "../../../components/progress.tsx";
import { Notice } from "../../../components/states.tsx";
import { formatPercent } from "../../../lib/format.ts";

/** How often it is looked at while something is loading, and otherwise. */
const whileLoadingMs = 1000;
const otherwiseMs = 15_000;

/** How the engines of a page are. Nothing while all is well. */
export function EngineState({ capabilities }: { capabilities: readonly string[] }) {
  const { data } = useQuery({
    queryKey: ["listEngineStates"],
    queryFn: async () => (await call("listEngineStates")).engines,
    refetchInterval: ({ state }) =>
      state.data?.some((engine) => engine.state !== "ready") ? whileLoadingMs : otherwiseMs,
    retry: false,
  });
  const troubled = (data ?? []).filter(
    ({ capability, state }) => capabilities.includes(capability) && state !== "ready",
  );
  if (troubled.length === 0) return null;
  const loading = troubled.filter(({ state }) => state === "loading");
  if (loading.length === 0) {
    const [first] = troubled;
    return (
      <Notice tone="warn">{`The engine “${first?.engine}” is not there: ${first?.reason ?? first?.state}.`}</Notice>
    );
  }
  return (
    <div role="status" className="grid gap-2 rounded-lg border bg-sunken px-3.5 py-2.5 text-sm text-muted">
      {loading.map(({ engine, reason, progress }) => (
        <div key={engine} className="grid gap-1.5">
          <span>
            The engine “{engine}” is loading{reason ? `: ${reason}` : ""}
            {progress === undefined ? "." : `, ${formatPercent(progress)}.`} Requests wait for it.
          </span>
          <Progress label={`Loading ${engine}`} fraction={progress ?? 0} />
        </div>
      ))}
    </div>
  );
}
