import type { GatewayModel } from "../../../../../src/dashboard/contract/catalog.ts";
import { Card } from "../../../components/card.tsx";
import { Badge, Notice } from "../../../components/states.tsx";
import { formatMs, formatUsd } from "../../../lib/format.ts";
import type { Run } from "../kit/use-run.ts";
import type { Answer } from "./ask-model.ts";

interface AnswerCardProps {
  title: string;
  run: Run;
  answer: Answer | undefined;
  price: GatewayModel | undefined;
}

export function AnswerCard({ title, run, answer, price }: AnswerCardProps) {
  if (!run.error && !answer && !run.isBusy) return null;
  return (
    <Card title={title} description={price?.id}>
      <div className="grid gap-3" aria-live="polite">
        {run.error && <Notice tone="bad">{run.error.message}</Notice>}
        {answer?.text && <p className="text-sm leading-relaxed break-words whitespace-pre-wrap">{answer.text}</p>}
        {answer?.calls.map((call) => (
          <code key={call} className="rounded-lg bg-sunken px-3 py-2 font-mono text-xs break-all">
            {call}
          </code>
        ))}
        {answer?.images.map((src) => (
          <img key={src.slice(-40)} src={src} alt="Made by the model" className="max-w-full rounded-lg border" />
        ))}
        <p className="flex flex-wrap gap-1.5">
          {answer?.firstMs !== undefined && <Badge>first word {formatMs(answer.firstMs)}</Badge>}
          {run.ms !== undefined && <Badge tone="good">200 in {formatMs(run.ms)}</Badge>}
          {answer?.inputTokens !== undefined && (
            <Badge>
              {answer.inputTokens} in, {answer.outputTokens} out
            </Badge>
          )}
          {run.ms !== undefined && answer && price && <Badge tone="accent">{costOf(answer, price)}</Badge>}
        </p>
      </div>
    </Card>
  );
}

/** By the catalog's prices; what was charged stands under Credits. */
function costOf({ inputTokens, outputTokens }: Answer, price: GatewayModel): string {
  if (price.isLocal) return "costs nothing";
  if (inputTokens === undefined || price.inputPerMillionUsd === null) return "cost under Credits";
  const dollars =
    (inputTokens * Number(price.inputPerMillionUsd) + (outputTokens ?? 0) * Number(price.outputPerMillionUsd ?? 0)) /
    1e6;
  return `about ${formatUsd(dollars)}`;
}
