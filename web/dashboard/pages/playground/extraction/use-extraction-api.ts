import { jsonRequest } from "../../../api/call-service.ts";
import { fileForm } from "../kit/file-form.ts";
import type { ShownRequest } from "../kit/request-code.ts";
import { useService } from "../kit/use-service.ts";
import { type Extraction, isPlain, type Summary } from "./extraction.ts";
import { type Draft, type Tried, toDraft } from "./template/draft.ts";

/** How often a document that takes longer is asked for. */
const askAgainMs = 1500;

export type ExtractionApi = ReturnType<typeof useExtractionApi>;

/** The requests of the page; `onRequest` gets each that somebody asked for. */
export function useExtractionApi(onRequest: (request: ShownRequest) => void) {
  const { url, send } = useService("extraction");
  const readJson = async (path: string, init?: RequestInit) => (await send(path, init)).json();

  const sendForm = (path: string, file: File, fields: Record<string, string>, signal: AbortSignal) => {
    const { body, form } = fileForm(file, fields);
    onRequest({ url: url + path, form });
    return readJson(path, { method: "POST", body, signal });
  };
  const sendJson = (method: "POST" | "PATCH" | "PUT", path: string, json: unknown, signal?: AbortSignal) => {
    onRequest({ method, url: url + path, json });
    return readJson(path, { ...jsonRequest(json), method, ...(signal ? { signal } : {}) });
  };
  /** Waits for the end of it, whatever it takes. */
  const finish = async (started: Extraction, signal: AbortSignal): Promise<Extraction> => {
    let now = started;
    while (now.status === "queued" || now.status === "processing") {
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
      now = await readJson(`/v1/extractions/${now.id}`, { signal });
    }
    if (now.status === "failed") throw new Error(now.error?.message ?? "The document could not be read.");
    return now;
  };

  return {
    async extract(file: File, template: string, signal: AbortSignal): Promise<Extraction> {
      const fields: Record<string, string> = template ? { template_id: template } : {};
      return finish(await sendForm("/v1/extract", file, fields, signal), signal);
    },
    async rerun(id: string, template: string, signal: AbortSignal): Promise<Extraction> {
      const body = template ? { template_id: template } : {};
      return finish(await sendJson("POST", `/v1/extractions/${id}/rerun`, body, signal), signal);
    },
    correct: (id: string, name: string, value: unknown): Promise<Extraction> =>
      sendJson("PATCH", `/v1/extractions/${id}`, { fields: { [name]: value } }),
    open(id: string, signal: AbortSignal): Promise<Extraction> {
      onRequest({ url: `${url}/v1/extractions/${id}` });
      return readJson(`/v1/extractions/${id}`, { signal });
    },
    /** The document as it is stored; undefined when it is there no more. */
    readFile: async ({ id, file_name }: Summary, signal: AbortSignal): Promise<File | undefined> => {
      const response = await send(`/v1/extractions/${id}/file`, { signal }).catch(() => undefined);
      return response && new File([await response.blob()], file_name);
    },
    remove: (id: string) => send(`/v1/extractions/${id}`, { method: "DELETE" }),
    list: (cursor: string): Promise<{ extractions: Summary[]; next_cursor: string | null }> =>
      readJson(`/v1/extractions?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`),
    async download(id: string, format: string): Promise<Blob> {
      const path = `/v1/extractions/${id}?output_format=${format}`;
      onRequest({ url: url + path, saves: `extraction.${format}` });
      return (await send(path)).blob();
    },
    listTemplates: async (): Promise<{ id: string; name: string; is_built_in: boolean }[]> =>
      (await readJson("/v1/templates")).templates,
    async openTemplate(id: string): Promise<Draft> {
      onRequest({ url: `${url}/v1/templates/${id}` });
      return toDraft(await readJson(`/v1/templates/${id}`));
    },
    /** A draft that finds what was found, where it stands. */
    async suggestTemplate({ fields }: Extraction, file: File, signal: AbortSignal): Promise<Draft> {
      const values = Object.entries(fields)
        .filter(([, { value }]) => isPlain(value) && value !== null)
        .map(([name, { value }]) => [name, value]);
      const given = {
        name: file.name.replace(/\.\w+$/, ""),
        values: JSON.stringify(Object.fromEntries(values)),
      };
      return (await sendForm("/v1/templates/suggest", file, given, signal)).template;
    },
    /** What a draft finds in a document, and the lines that it has. A draft without fields finds nothing yet. */
    tryTemplate(draft: Draft, file: File, signal: AbortSignal): Promise<Tried> {
      const given: Record<string, string> = draft.fields.length > 0 ? { template: JSON.stringify(draft) } : {};
      return sendForm("/v1/templates/tpl_form/test", file, given, signal);
    },
    async saveTemplate(id: string | undefined, draft: Draft, signal: AbortSignal): Promise<string> {
      const saved = id
        ? await sendJson("PUT", `/v1/templates/${id}`, draft, signal)
        : await sendJson("POST", "/v1/templates", draft, signal);
      return saved.id;
    },
  };
}
