import { useState } from "react";
import { jsonRequest } from "../../../api/call-service.ts";
import { useApi } from "../../../api/use-api.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Field, Select, Textarea } from "../../../components/field.tsx";
import { SwapIcon } from "../../../components/icons.tsx";
import { Badge } from "../../../components/states.tsx";
import { PlaygroundFrame } from "../kit/frame.tsx";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";

interface Translation {
  translation: string;
  sourceLanguage: string;
  model: string;
  quality?: "preview";
}

export default function TranslatePage() {
  const voice = useService("voice");
  const run = useRun();
  const { data } = useApi("listLanguages");
  const [text, setText] = useState("The train leaves at nine. Please be at the station a little earlier.");
  const [source, setSource] = useState("auto");
  const [target, setTarget] = useState("es");
  const [result, setResult] = useState<Translation>();
  const [request, setRequest] = useState<ShownRequest>();
  const languages = data?.languages ?? [];
  const sources = languages.filter(({ translatesInto }) => translatesInto.length > 0);
  const reachable = new Set(
    (source === "auto" ? sources : sources.filter(({ code }) => code === source)).flatMap(({ translatesInto }) =>
      translatesInto.map(({ code }) => code),
    ),
  );
  const targets = languages.filter(({ code }) => reachable.has(code));

  const translate = () =>
    run.start(async (signal) => {
      const body = { text, target_language: target, source_language: source };
      setRequest({ url: `${voice.url}/v1/translate`, json: body });
      setResult(undefined);
      setResult(await (await voice.send("/v1/translate", { ...jsonRequest(body), signal })).json());
    });
  /** Replies name languages without their country: "English" is the first of its kind. */
  const codeOf = (name = "?") =>
    (sources.find(({ label }) => label === name) ?? sources.find(({ label }) => label.includes(name)))?.code;
  /** Text and translation change places; the language that was told becomes the target. */
  const swap = () => {
    const found = source === "auto" ? codeOf(result?.sourceLanguage) : source;
    if (!found) return;
    setSource(target);
    setTarget(found);
    if (result) setText(result.translation);
    setResult(undefined);
  };
  const canSwap = (source !== "auto" || result !== undefined) && sources.some(({ code }) => code === target);
  return (
    <PlaygroundFrame
      title="Translate"
      description="Between the languages that this server has a way for. A preview is good for the gist only."
      capabilities={["translation", "language"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4 lg:grid-cols-[1fr_auto_1fr]">
          <div className="grid content-start gap-3">
            <Field label="From">
              <Select value={source} onChange={(event) => setSource(event.target.value)}>
                <option value="auto">Detect the language</option>
                {sources.map(({ code, label }) => (
                  <option key={code} value={code}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="Text" isLabelHidden>
              <Textarea value={text} maxLength={3000} rows={7} onChange={(event) => setText(event.target.value)} />
            </Field>
          </div>
          <IconButton label="Swap" disabled={!canSwap} onClick={swap} className="justify-self-center lg:mt-7">
            <SwapIcon />
          </IconButton>
          <div className="grid grid-rows-[auto_1fr] gap-3">
            <Field label="Into">
              <Select value={target} onChange={(event) => setTarget(event.target.value)}>
                {targets.map(({ code, label }) => (
                  <option key={code} value={code}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            <div
              aria-live="polite"
              className="min-h-40 rounded-lg border bg-sunken px-3.5 py-2.5 text-sm leading-relaxed whitespace-pre-wrap"
            >
              {result?.translation}
            </div>
          </div>
        </div>
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <Button look="primary" isBusy={run.isBusy} disabled={text.trim() === ""} onClick={translate}>
            Translate
          </Button>
          {result && (
            <>
              <CopyButton text={result.translation} label="Copy translation" />
              <Badge>from {result.sourceLanguage}</Badge>
              <Badge>{result.model}</Badge>
              {result.quality && <Badge tone="warn">preview</Badge>}
            </>
          )}
          <RunState run={run} />
        </div>
      </Card>
    </PlaygroundFrame>
  );
}
