import { useEffect, useRef, useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { Card } from "../../../../components/card.tsx";
import { Field, Input, Textarea } from "../../../../components/field.tsx";
import { Notice } from "../../../../components/states.tsx";
import { RunState } from "../../kit/run-state.tsx";
import { useRun } from "../../kit/use-run.ts";
import type { ExtractionApi } from "../use-extraction-api.ts";
import { type Aim, type Draft, labelOf, nameOf, readDraft, type Tried, withRule } from "./draft.ts";
import { FieldRows } from "./field-rows.tsx";
import { OtherDocuments } from "./other-documents.tsx";
import { TemplatePages } from "./template-pages.tsx";

/** After the last key, before the draft is tried. */
const pauseMs = 400;

interface TemplateEditorProps {
  api: ExtractionApi;
  /** Of a stored one that is changed. */
  id: string | undefined;
  start: Draft;
  file: File | undefined;
  onSaved(id: string): void;
  onClose(): void;
}

/** A template and the document it is made from, side by side; every change is tried at once. */
export function TemplateEditor({ api, id, start, file, onSaved, onClose }: TemplateEditorProps) {
  const [draft, setDraft] = useState(start);
  const [aim, setAim] = useState<Aim>();
  const [tried, setTried] = useState<Tried>();
  const [chosen, setChosen] = useState<string>();
  const trying = useRun();
  const saving = useRun();
  const tryOut = useRef(() => {});
  tryOut.current = () => {
    if (file) void trying.start(async (signal) => setTried(await api.tryTemplate(draft, file, signal)));
  };
  useEffect(() => {
    const timer = setTimeout(() => tryOut.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [draft, file]);
  const place = (rule: object, name?: string) => {
    setDraft(withRule(draft, aim?.field, rule, name));
    setAim(undefined);
  };
  return (
    <>
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Card
          className="xl:sticky xl:top-4"
          title="Pages"
          description={aim ? undefined : "What the draft finds stands in its box."}
        >
          <div className="grid gap-3">
            {aim && (
              <Notice
                action={
                  <Button isSmall onClick={() => setAim(undefined)}>
                    Cancel
                  </Button>
                }
              >
                {aim.how === "box"
                  ? "Draw a box around the value, with some room for longer ones."
                  : "Pick the words that stand before, beside or above the value."}
              </Notice>
            )}
            {file ? (
              <TemplatePages
                file={file}
                tried={tried}
                aim={aim}
                chosen={chosen}
                onChoose={setChosen}
                onBox={(page, box) => place({ region: { page, box } })}
                onLabel={({ text }) => {
                  const label = labelOf(text);
                  place({ label: [label] }, nameOf(label));
                }}
              />
            ) : (
              <Notice>Drop a document above to draw on its pages.</Notice>
            )}
          </div>
        </Card>
        <Card
          title={id ? "Change the template" : "New template"}
          actions={
            <>
              <Button isSmall onClick={onClose}>
                Close
              </Button>
              <Button
                isSmall
                look="primary"
                isBusy={saving.isBusy}
                onClick={() => saving.start(async (signal) => onSaved(await api.saveTemplate(id, draft, signal)))}
              >
                Save template
              </Button>
            </>
          }
        >
          <div className="grid gap-4">
            {saving.error && <RunState run={saving} />}
            {trying.error && <RunState run={trying} />}
            <Field label="Name of the template">
              <Input
                maxLength={120}
                value={draft.name}
                onChange={(event) => setDraft({ ...draft, name: event.target.value })}
              />
            </Field>
            {file && (
              <div className="flex flex-wrap items-center gap-2 text-sm">
                <span className="text-muted">Add a field:</span>
                <Button isSmall onClick={() => setAim({ how: "box", field: undefined })}>
                  Draw a box
                </Button>
                <Button isSmall disabled={!tried} onClick={() => setAim({ how: "label", field: undefined })}>
                  Pick a label
                </Button>
              </div>
            )}
            <FieldRows draft={draft} tried={tried} aim={aim} chosen={chosen} onDraft={setDraft} onAim={setAim} />
            <Definition draft={draft} onDraft={setDraft} />
          </div>
        </Card>
      </div>
      <OtherDocuments draft={draft} tryOn={(other, signal) => api.tryTemplate(draft, other, signal)} />
    </>
  );
}

/** Everything that a template can say, for those who know it. */
function Definition({ draft, onDraft }: { draft: Draft; onDraft(draft: Draft): void }) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<string>();
  return (
    <details className="rounded-lg border px-3 py-2 text-sm">
      <summary className="cursor-pointer font-medium">Definition as JSON</summary>
      <div className="grid gap-2 pt-3">
        <Field label="Definition" isLabelHidden error={error}>
          <Textarea
            rows={16}
            spellCheck={false}
            className="font-mono text-[13px]"
            value={text ?? JSON.stringify(draft, null, 2)}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Button
          isSmall
          className="justify-self-start"
          disabled={text === undefined}
          onClick={() => {
            try {
              onDraft(readDraft(text ?? ""));
              setText(undefined);
              setError(undefined);
            } catch (failure) {
              setError((failure as Error).message);
            }
          }}
        >
          Use this definition
        </Button>
      </div>
    </details>
  );
}
