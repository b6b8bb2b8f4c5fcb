import { useState } from "react";
import { jsonRequest } from "../../../api/call-service.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import type { Service } from "../kit/use-service.ts";
import { type Extraction, isPlain } from "./extraction.ts";

interface TemplateDialogProps {
  service: Service;
  result: Extraction;
  file: File;
  onSaved(id: string): void;
}

/** A template from a document whose values are right: the server writes a draft, a person reads and changes it. */
export function TemplateButton({ service, result, file, onSaved }: TemplateDialogProps) {
  const run = useRun();
  const [draft, setDraft] = useState<string>();
  const suggest = () =>
    run.start(async (signal) => {
      const values = Object.fromEntries(
        Object.entries(result.fields)
          .filter(([, { value }]) => isPlain(value) && value !== null)
          .map(([name, { value }]) => [name, value]),
      );
      const form = new FormData();
      form.append("file", file, file.name);
      form.append("name", file.name.replace(/\.\w+$/, ""));
      form.append("values", JSON.stringify(values));
      const response = await service.send("/v1/templates/suggest", { method: "POST", body: form, signal });
      setDraft(JSON.stringify((await response.json()).template, null, 2));
    });
  const save = () =>
    run.start(async (signal) => {
      const response = await service.send("/v1/templates", { ...jsonRequest(JSON.parse(draft ?? "")), signal });
      onSaved((await response.json()).id);
      setDraft(undefined);
    });
  return (
    <>
      <Button isSmall isBusy={run.isBusy} onClick={suggest}>
        Make a template
      </Button>
      <Dialog
        isOpen={draft !== undefined}
        onClose={() => setDraft(undefined)}
        title="Template from this document"
        description="Each rule was tried on it. Once saved it is chosen, and the documents you drop next are read with it."
        isWide
      >
        <Field label="Definition">
          <Textarea
            rows={18}
            value={draft ?? ""}
            onChange={(event) => setDraft(event.target.value)}
            className="font-mono text-[13px]"
          />
        </Field>
        {run.error && <RunState run={run} />}
        <DialogButtons>
          <Button onClick={() => setDraft(undefined)}>Cancel</Button>
          <Button look="primary" isBusy={run.isBusy} onClick={save}>
            Save template
          </Button>
        </DialogButtons>
      </Dialog>
      {run.error && draft === undefined && <RunState run={run} />}
    </>
  );
}
