import { z } from "zod";
import { fileField } from "../../platform/http/form.ts";
import { extractForm, extractionSummary } from "../documents/schema.ts";
import { mostDocuments } from "./open-archive.ts";

export const batchForm = extractForm.omit({ output_format: true }).extend({
  file: fileField(20_000_000, `A ZIP archive of up to ${mostDocuments} documents, up to 20 MB; unpacked up to 100 MB.`),
});

export const batchReply = z.object({
  id: z.string().meta({ description: "Begins with bat_" }),
  status: z
    .enum(["processing", "completed"])
    .meta({ description: "completed when no document is waiting, whether or not it could be read" }),
  documents: z.number().meta({ description: "How many documents the archive holds." }),
  completed: z.number(),
  failed: z.number(),
  extractions: z.array(extractionSummary).meta({ description: "Each document, in the archive's order." }),
});
