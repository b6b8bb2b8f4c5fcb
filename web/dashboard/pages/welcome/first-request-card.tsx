import { useEffect, useState } from "react";
import { pathOf } from "../../api/call-service.ts";
import { queryClient } from "../../api/use-api.ts";
import { useStart } from "../../api/use-session.ts";
import { AudioPlayer } from "../../components/audio-player.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Notice } from "../../components/states.tsx";
import { formatMs } from "../../lib/format.ts";
import { usePlaygroundKey } from "../playground/use-playground-key.ts";
import type { Outcome, Trial } from "./trials.ts";

type State =
  | { step: "ready" }
  | { step: "waiting" }
  | { step: "done"; outcome: Outcome; ms: number }
  | { step: "failed"; reason: string };

/** One request with a button: sends it and shows what came back. */
export function FirstRequestCard({ trial }: { trial: Trial }) {
  const [state, setState] = useState<State>({ step: "ready" });
  const { installation } = useStart();
  const getKey = usePlaygroundKey();
  const url = state.step === "done" && state.outcome.kind === "audio" ? state.outcome.url : undefined;
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);

  const send = async () => {
    setState({ step: "waiting" });
    try {
      const key = await getKey();
      const startedAt = performance.now();
      const outcome = await trial.send(pathOf(installation.services, trial.service) ?? "", key);
      setState({ step: "done", outcome, ms: performance.now() - startedAt });
      void queryClient.invalidateQueries({ queryKey: ["getUsage"] });
    } catch (error) {
      setState({ step: "failed", reason: (error as Error).message });
    }
  };
  const Icon = trial.icon;
  return (
    <section aria-label={trial.title} className="rounded-xl border bg-raised p-4 shadow-card sm:p-5">
      <div className="flex items-start gap-3">
        <span className="rounded-lg bg-accent-soft p-2 text-lg text-accent-ink">
          <Icon />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">{trial.title}</h2>
          <p className="text-sm text-muted">{trial.text}</p>
        </div>
        <Button isSmall isBusy={state.step === "waiting"} onClick={send}>
          {state.step === "done" || state.step === "failed" ? "Again" : "Try it"}
        </Button>
      </div>
      <p className="mt-3 flex min-h-5 items-center gap-2 text-xs">
        <code className="font-mono text-faint">{trial.request}</code>
        {state.step === "done" && <Badge tone="good">200 in {formatMs(state.ms)}</Badge>}
      </p>
      <div aria-live="polite" className="not-empty:mt-3">
        {state.step === "failed" && <Notice tone="bad">{state.reason}</Notice>}
        {state.step === "done" && <Reply outcome={state.outcome} label={trial.title} />}
      </div>
    </section>
  );
}

function Reply({ outcome, label }: { outcome: Outcome; label: string }) {
  if (outcome.kind === "audio") return <AudioPlayer src={outcome.url} label={label} startsByItself />;
  if (outcome.kind === "text")
    return (
      <blockquote className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm whitespace-pre-wrap">{outcome.text}</blockquote>
    );
  return (
    <dl className="grid max-h-56 gap-1 overflow-y-auto rounded-lg bg-sunken px-3.5 py-2.5 text-[13px]">
      {outcome.fields.map(([name, value]) => (
        <div key={name} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-2">
          <dt className="truncate text-muted" title={name}>
            {name}
          </dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
