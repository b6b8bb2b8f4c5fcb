import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { fileField } from "../../platform/http/form.ts";

const problem = z.object({ error: z.object({ type: z.string(), message: z.string() }) });
const problemReplies = {
  400: problem,
  401: problem,
  403: problem,
  413: problem,
  415: problem,
  422: problem,
  429: problem,
  502: problem,
};

const extractForm = z.object({
  file: fileField(20_000_000, "The document, up to 20 MB."),
  template_id: z.string().optional(),
  output_format: z.enum(["json", "xml", "csv", "xlsx", "docx"]).default("json"),
});

/** Both forms of the path are in use; the choice is left to the client. */
export function addDocumentRoutes(app: HttpApp): void {
  for (const path of ["/v1/extract", "/api/v1/extract"]) {
    app.post(
      path,
      {
        config: { scope: "extract", form: extractForm },
        schema: { summary: "Extract data from a document", response: { ...problemReplies } },
      },
      async () => {
        throw new Problem("engine_unavailable", "Extraction is not part of this version yet.");
      },
    );
  }
}
