import { useState } from "react";
import { jsonRequest } from "../../../api/call-service.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { openAiCode, type ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { project, similarity } from "./similarity.ts";

const firstTexts = [
  "A cat sleeps on the sofa",
  "The kitten is playing with wool",
  "My dog chases the ball",
  "The invoice is due in thirty days",
  "Please pay the bill by Friday",
  "Your order total includes tax",
];
/** The server takes up to 64; more than this cannot be read on a map. */
const mostTexts = 24;

interface Mapped {
  texts: string[];
  embeddings: number[][];
}

export default function EmbeddingsPage() {
  const voice = useService("voice");
  const run = useRun();
  const [text, setText] = useState(firstTexts.join("\n"));
  const [mapped, setMapped] = useState<Mapped>();
  const [request, setRequest] = useState<ShownRequest>();
  const texts = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, mostTexts);

  const embed = () =>
    run.start(async (signal) => {
      const body = { input: texts };
      const lines = `const reply = await client.embeddings.create({ model: "local/bge-small-en-v1.5", input: ${JSON.stringify(texts)} });
console.log(reply.data.map(({ embedding }) => embedding.length));`;
      setRequest({ url: `${voice.url}/v1/embeddings`, json: body, client: openAiCode(`${voice.url}/v1`, lines) });
      const response = await voice.send("/v1/embeddings", { ...jsonRequest(body), signal });
      setMapped({ texts, embeddings: (await response.json()).embeddings });
    });
  return (
    <PlaygroundFrame
      title="Embeddings"
      description="What is alike in meaning lies close together. One text a line."
      capabilities={["embeddings"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <Field label="Texts" hint={`${texts.length} of ${mostTexts} texts`}>
            <Textarea rows={7} value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
          <div className="flex items-center gap-3">
            <Button look="primary" isBusy={run.isBusy} disabled={texts.length < 2} onClick={embed}>
              Compare
            </Button>
            <RunState run={run} />
          </div>
        </div>
      </Card>
      {mapped && (
        <div className="grid gap-4 lg:grid-cols-2">
          <Card title="Map" description="The two directions in which the texts differ most.">
            <SimilarityMap {...mapped} />
          </Card>
          <Card title="Similarity" description="Cosine of every pair; 1 is the same.">
            <Matrix {...mapped} />
          </Card>
        </div>
      )}
    </PlaygroundFrame>
  );
}

function SimilarityMap({ texts, embeddings }: Mapped) {
  const points = project(embeddings);
  return (
    <div className="relative aspect-4/3 overflow-hidden rounded-lg border bg-sunken">
      <ol className="contents">
        {points.map(([x, y], index) => (
          <li
            key={texts[index]}
            title={texts[index]}
            className="absolute flex max-w-[45%] items-center gap-1.5 text-xs"
            style={{
              top: `${8 + y * 82}%`,
              ...(x > 0.5
                ? { right: `${4 + (1 - x) * 80}%`, flexDirection: "row-reverse" }
                : { left: `${4 + x * 80}%` }),
            }}
          >
            <span className="size-2.5 shrink-0 rounded-full bg-accent" />
            <span className="truncate">{texts[index]}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Matrix({ texts, embeddings }: Mapped) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label="Similarity of every pair">
      <table className="w-full text-xs tabular-nums">
        <thead>
          <tr>
            <td />
            {texts.map((text, index) => (
              <th key={text} scope="col" title={text} className="p-1 font-medium text-faint">
                {index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {texts.map((text, row) => (
            <tr key={text}>
              <th scope="row" className="max-w-40 truncate p-1 text-left font-normal text-muted" title={text}>
                {row + 1}. {text}
              </th>
              {texts.map((other, column) => {
                const alike = similarity(embeddings[row]!, embeddings[column]!);
                return (
                  <td key={other} className="relative p-1 text-center">
                    <span
                      aria-hidden="true"
                      className="absolute inset-px rounded-sm bg-accent-soft"
                      style={{ opacity: Math.max(0, (alike - 0.4) / 0.6) }}
                    />
                    <span className="relative">{alike.toFixed(2)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
