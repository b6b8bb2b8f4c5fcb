import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
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
import type { Extraction } from "./extraction.ts";
import { ExtractionResult } from "./extraction-result.tsx";
import { PastList } from "./past-list.tsx";
import type { Draft } from "./template/draft.ts";
import { TemplateEditor } from "./template/template-editor.tsx";
import { useExtractionApi } from "./use-extraction-api.ts";

export default function ExtractionPage() {
  const run = useRun();
  const client = useQueryClient();
  const { workspaceId } = useWorkspace();
  const [file, setFile] = useState<File>();
  const [template, setTemplate] = useState("");
  const [shown, setShown] = useState<{ result: Extraction; file: File | undefined }>();
  const [edited, setEdited] = useState<{ id: string | undefined; draft: Draft }>();
  const [request, setRequest] = useState<ShownRequest>();
  const api = useExtractionApi(setRequest);
  const past = useInfiniteQuery({
    queryKey: ["extractions", workspaceId],
    queryFn: ({ pageParam }) => api.list(pageParam),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
  const templates = useQuery({ queryKey: ["templates", workspaceId], queryFn: api.listTemplates });
  const refresh = (what: "extractions" | "templates") => client.invalidateQueries({ queryKey: [what, workspaceId] });

  const extract = (given: File, withTemplate = template) =>
    run.start(async (signal) => {
      setShown(undefined);
      setShown({ result: await api.extract(given, withTemplate, signal), file: given });
      void refresh("extractions");
    });
  const take = (given: File) => {
    setFile(given);
    void extract(given);
  };
  const open = (id: string) =>
    run.start(async (signal) => {
      const result = await api.open(id, signal);
      setShown({ result, file: await api.readFile(result, signal) });
    });
  const rerun = (id: string) =>
    run.start(async (signal) => {
      const result = await api.rerun(id, template, signal);
      void refresh("extractions");
      setShown({ result, file: await api.readFile(result, signal) });
    });
  const remove = async (id: string) => {
    await api.remove(id);
    if (shown?.result.id === id) setShown(undefined);
    await refresh("extractions");
  };
  const makeTemplate = ({ result, file: document }: { result: Extraction; file: File }) =>
    run.start(async (signal) => {
      setEdited({ id: undefined, draft: await api.suggestTemplate(result, document, signal) });
    });
  const isOwn = templates.data?.some(({ id, is_built_in }) => id === template && !is_built_in);
  const document = shown?.file ?? file;
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
            {isOwn && (
              <Button
                onClick={() =>
                  run.start(async () => setEdited({ id: template, draft: await api.openTemplate(template) }))
                }
              >
                Change it
              </Button>
            )}
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
      {edited ? (
        <TemplateEditor
          // Another template is another draft.
          key={edited.id ?? "new"}
          api={api}
          id={edited.id}
          start={edited.draft}
          file={document}
          onClose={() => setEdited(undefined)}
          onSaved={(id) => {
            setEdited(undefined);
            setTemplate(id);
            void refresh("templates");
            if (document) void extract(document, id);
          }}
        />
      ) : (
        shown?.result.data && (
          <ExtractionResult
            key={shown.result.id}
            result={shown.result}
            file={shown.file}
            actions={
              shown.file && (
                <Button
                  isSmall
                  isBusy={run.isBusy}
                  onClick={() => shown.file && makeTemplate({ result: shown.result, file: shown.file })}
                >
                  Make a template
                </Button>
              )
            }
            onCorrect={(name, value) =>
              run.start(async () => setShown({ ...shown, result: await api.correct(shown.result.id, name, value) }))
            }
            onDownload={(format) => api.download(shown.result.id, format)}
          />
        )
      )}
      <PastList
        extractions={past.data?.pages.flatMap(({ extractions }) => extractions) ?? []}
        onOlder={past.hasNextPage ? () => past.fetchNextPage() : undefined}
        onOpen={open}
        onRerun={rerun}
        onDelete={remove}
      />
    </PlaygroundFrame>
  );
}
