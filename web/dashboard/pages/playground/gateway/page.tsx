import { useState } from "react";
import { useApi } from "../../../api/use-api.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Checkbox, Field, Segments, Select, Textarea } from "../../../components/field.tsx";
import { Notice } from "../../../components/states.tsx";
import { localModel } from "../../../lib/first-requests.ts";
import { PlaygroundFrame } from "../kit/frame.tsx";
import { openAiCode, type ShownRequest } from "../kit/request-code.ts";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import { AnswerCard } from "./answer-card.tsx";
import { type Answer, askModel, makeImage } from "./ask-model.ts";

type Kind = "text" | "schema" | "tools";

const firstSchema = `{
  "type": "object",
  "properties": { "city": { "type": "string" }, "country": { "type": "string" } },
  "required": ["city", "country"],
  "additionalProperties": false
}`;
const firstTools = `[{
  "type": "function",
  "function": {
    "name": "get_weather",
    "description": "The weather of a city",
    "parameters": { "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }
  }
}]`;

export default function GatewayPage() {
  const gateway = useService("gateway");
  const runs = [useRun(), useRun()] as const;
  const catalog = useApi("listModels");
  const [models, setModels] = useState([localModel, localModel]);
  const [isTwo, setTwo] = useState(false);
  const [prompt, setPrompt] = useState("What is the capital of France?");
  const [kind, setKind] = useState<Kind>("text");
  const [schema, setSchema] = useState(firstSchema);
  const [tools, setTools] = useState(firstTools);
  const [answers, setAnswers] = useState<(Answer | undefined)[]>([]);
  const [request, setRequest] = useState<ShownRequest>();
  const usable = (catalog.data?.models ?? []).filter(({ type }) => /chat|language|image/.test(type));
  /** Upstreams say "image" or "image_generation". */
  const isImage = (model: string) => usable.find(({ id }) => id === model)?.type.startsWith("image") ?? false;

  const ask = (index: 0 | 1) =>
    runs[index].start(async (signal) => {
      const model = models[index]!;
      const put = (answer: Answer | undefined) =>
        setAnswers((old) => [0, 1].map((at) => (at === index ? answer : old[at])));
      put(undefined);
      if (isImage(model)) {
        const body = { model, prompt };
        const lines = `const { data } = await client.images.generate(${JSON.stringify(body, null, 2)});
console.log(data?.length, "picture");`;
        setRequest({ url: `${gateway.url}/images/generations`, json: body, client: openAiCode(gateway.url, lines) });
        put(await makeImage(gateway, body, signal));
        return;
      }
      const body = {
        model,
        messages: [{ role: "user", content: prompt }],
        max_tokens: 300,
        ...extras(kind, schema, tools),
      };
      const lines = `const answer = await client.chat.completions.create(${JSON.stringify(body, null, 2)});
console.log(answer.choices[0]?.message);`;
      setRequest({ url: `${gateway.url}/chat/completions`, json: body, client: openAiCode(gateway.url, lines) });
      await askModel(gateway, body, signal, put);
    });
  const shown = (isTwo ? [0, 1] : [0]) as (0 | 1)[];
  return (
    <PlaygroundFrame
      title="Gateway"
      description="Any model of the catalog, alone or two side by side, with what each costs and how long it takes."
      capabilities={["chat"]}
      request={request}
    >
      {catalog.data?.problem && <Notice tone="warn">{catalog.data.problem}</Notice>}
      <Card>
        <div className="grid gap-4">
          <Field label="Prompt">
            <Textarea rows={3} value={prompt} onChange={(event) => setPrompt(event.target.value)} />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            {shown.map((index) => (
              <Field key={index} label={index === 0 ? "Model" : "Second model"}>
                <Select
                  value={models[index]}
                  onChange={({ target: { value } }) =>
                    setModels((old) => old.map((model, at) => (at === index ? value : model)))
                  }
                >
                  {usable.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name || id}
                    </option>
                  ))}
                </Select>
              </Field>
            ))}
          </div>
          <div className="flex flex-wrap items-center gap-4">
            <Segments<Kind>
              label="Kind of answer"
              value={kind}
              options={[
                { value: "text", label: "Text" },
                { value: "schema", label: "JSON schema" },
                { value: "tools", label: "Tools" },
              ]}
              onChange={setKind}
            />
            <Checkbox label="Two side by side" checked={isTwo} onChange={(event) => setTwo(event.target.checked)} />
          </div>
          {kind === "schema" && (
            <Field label="JSON schema" error={problemOf(schema)}>
              <Textarea
                rows={7}
                value={schema}
                onChange={(event) => setSchema(event.target.value)}
                className="font-mono"
              />
            </Field>
          )}
          {kind === "tools" && (
            <Field label="Tools" error={problemOf(tools)}>
              <Textarea
                rows={9}
                value={tools}
                onChange={(event) => setTools(event.target.value)}
                className="font-mono"
              />
            </Field>
          )}
          <div className="flex gap-2">
            <Button
              look="primary"
              isBusy={runs.some(({ isBusy }) => isBusy)}
              disabled={
                prompt.trim() === "" ||
                (kind === "schema" && problemOf(schema) !== undefined) ||
                (kind === "tools" && problemOf(tools) !== undefined)
              }
              onClick={() => Promise.all(shown.map(ask))}
            >
              Ask
            </Button>
            {runs.some(({ isBusy }) => isBusy) && (
              <Button
                onClick={() => {
                  for (const run of runs) run.stop();
                }}
              >
                Stop
              </Button>
            )}
          </div>
        </div>
      </Card>
      <div className={isTwo ? "grid items-start gap-4 lg:grid-cols-2" : "grid gap-4"}>
        {shown.map((index) => (
          <AnswerCard
            key={index}
            title={index === 0 ? "Answer" : "Second answer"}
            run={runs[index]}
            answer={answers[index]}
            price={usable.find(({ id }) => id === models[index])}
          />
        ))}
      </div>
    </PlaygroundFrame>
  );
}

function extras(kind: Kind, schema: string, tools: string): object {
  if (kind === "tools") return { tools: JSON.parse(tools) };
  if (kind === "text") return {};
  return {
    response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: JSON.parse(schema) } },
  };
}

function problemOf(json: string): string | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
