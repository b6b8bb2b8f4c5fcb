import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import { transcribeForm, transcript } from "./schema.ts";

export function addTranscriptionRoutes(app: HttpApp): void {
  app.post(
    "/v1/transcribe",
    {
      config: { scope: "transcribe", form: transcribeForm },
      schema: { summary: "Audio to text", response: { 200: transcript, ...problemReplies } },
    },
    async () => notYet("Transcription"),
  );
}
