import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import invoice from "../../../../../docs/examples/invoice.pdf?url";
import { useWorkspace } from "../../../api/use-session.ts";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { Field, Select } from "../../../components/field.tsx";
import { FileDrop } from "../../../components/file-drop.tsx";
import { PlaygroundFrame } from "../kit/frame.tsx";
import type { ShownRequest } from "../kit/request-code.ts";
import { RunState } from "../kit/run-state.tsx";
import { useRun } from "../kit/use-run.ts";
import { useService } from "../kit/use-service.ts";
import type { Extraction, Summary } from "./extraction.ts";
import { ExtractionResult } from "./extraction-result.tsx";
import { PastList } from "./past-list.tsx";
import { TemplateButton } from "./template-dialog.tsx";

/** How often a document that takes longer is asked for. */
const askAgainMs = 1500;

export default function ExtractionPage() {
  const service = useService("extraction");
  const run = useRun();
  const client = useQueryClient();
  const { workspaceId } = useWorkspace();
  const [file, setFile] = useState<File>();
  const [template, setTemplate] = useState("");
  const [result, setResult] = useState<Extraction>();
  const [request, setRequest] = useState<ShownRequest>();
  /** Documents of this visit, to show their pages: the server keeps them but does not hand them out. */
  const files = useRef(new Map<string, File>());
  const past = useQuery({
    queryKey: ["extractions", workspaceId],
    queryFn: async () => (await (await service.send("/v1/extractions?limit=100")).json()).extractions as Summary[],
  });
  const templates = useQuery({
    queryKey: ["templates", workspaceId],
    queryFn: async () =>
      (await (await service.send("/v1/templates")).json()).templates as { id: string; name: string }[],
  });
  const refresh = () => client.invalidateQueries({ queryKey: ["extractions", workspaceId] });

  /** Waits for the end of it, whatever it takes. */
  const finish = async (started: Extraction, signal: AbortSignal) => {
    let now = started;
    while (now.status === "queued" || now.status === "processing") {
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
      now = await (await service.send(`/v1/extractions/${now.id}`, { signal })).json();
    }
    void refresh();
    if (now.status === "failed") throw new Error(now.error?.message ?? "The document could not be read.");
    setResult(now);
    return now;
  };
  const extract = (given: File, withTemplate = template) =>
    run.start(async (signal) => {
      setResult(undefined);
      const chosen = withTemplate ? [{ name: "template_id", value: withTemplate }] : [];
      setRequest({
        url: `${service.url}/v1/extract`,
        form: [{ name: "file", value: given.name, file: true }, ...chosen],
      });
      const form = new FormData();
      form.append("file", given, given.name);
      for (const { name, value } of chosen) form.append(name, value);
      const response = await service.send("/v1/extract", { method: "POST", body: form, signal });
      const done = await finish(await response.json(), signal);
      files.current.set(done.id, given);
    });
  const take = (given: File) => {
    setFile(given);
    void extract(given);
  };
  const open = (id: string) =>
    run.start(async (signal) => {
      setRequest({ url: `${service.url}/v1/extractions/${id}` });
      setResult(await (await service.send(`/v1/extractions/${id}`, { signal })).json());
    });
  const rerun = (id: string) =>
    run.start(async (signal) => {
      const body = template ? { template_id: template } : {};
      setRequest({ url: `${service.url}/v1/extractions/${id}/rerun`, json: body });
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
      };
      const done = await finish(await (await service.send(`/v1/extractions/${id}/rerun`, init)).json(), signal);
      const known = files.current.get(id);
      if (known) files.current.set(done.id, known);
    });
  const correct = async (id: string, name: string, value: unknown) => {
    const body = { fields: { [name]: value } };
    setRequest({ method: "PATCH", url: `${service.url}/v1/extractions/${id}`, json: body });
    const init = { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    await run.start(async () => setResult(await (await service.send(`/v1/extractions/${id}`, init)).json()));
  };
  const remove = async (id: string) => {
    await service.send(`/v1/extractions/${id}`, { method: "DELETE" });
    files.current.delete(id);
    if (result?.id === id) setResult(undefined);
    await refresh();
  };
  const download = async (id: string, format: string) => {
    const path = `/v1/extractions/${id}?output_format=${format}`;
    setRequest({ url: service.url + path, saves: `extraction.${format}` });
    return (await service.send(path)).blob();
  };
  const shownFile = result && files.current.get(result.id);
  return (
    <PlaygroundFrame
      title="Extraction"
      description="A document in, its data out, each value with its confidence and its place on the page."
      capabilities={["extraction"]}
      request={request}
    >
      <Card>
        <div className="grid gap-4">
          <FileDrop
            label="Drop a document here"
            hint="PDF, picture, DOCX, XLSX, CSV, HTML, mail, XML invoice; up to 20 MB"
            file={file}
            onFile={take}
          />
          <div className="flex flex-wrap items-end gap-3">
            <Field label="Template" className="w-64">
              <Select value={template} onChange={(event) => setTemplate(event.target.value)}>
                <option value="">Detect the type</option>
                {(templates.data ?? []).map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
            <Button
              onClick={async () =>
                take(new File([await (await fetch(invoice)).blob()], "invoice.pdf", { type: "application/pdf" }))
              }
            >
              Use a sample invoice
            </Button>
            {file && (
              <Button look="primary" isBusy={run.isBusy} onClick={() => extract(file)}>
                Extract again
              </Button>
            )}
          </div>
          <RunState run={run} />
        </div>
      </Card>
      {result?.data && (
        <ExtractionResult
          key={result.id}
          result={result}
          file={shownFile}
          actions={
            shownFile && (
              <TemplateButton
                service={service}
                result={result}
                file={shownFile}
                onSaved={(id) => {
                  void client.invalidateQueries({ queryKey: ["templates", workspaceId] });
                  setTemplate(id);
                  void extract(shownFile, id);
                }}
              />
            )
          }
          onCorrect={(name, value) => correct(result.id, name, value)}
          onDownload={(format) => download(result.id, format)}
        />
      )}
      <PastList extractions={past.data ?? []} onOpen={open} onRerun={rerun} onDelete={remove} />
    </PlaygroundFrame>
  );
}
