import type { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import {
  detectingStreamRequest,
  hearingStreamRequest,
  pinnedStreamRequest,
  speechStreamRequest,
  streamReply,
} from "./schema.ts";

export function addStreamRoutes(app: HttpApp): void {
  addMint(app, "/v1/realtime/tts", "A token for streaming text to speech", speechStreamRequest);
  addMint(app, "/v1/realtime/stt", "A token for streaming speech to text", hearingStreamRequest);
  addMint(app, "/v1/realtime/stt/auto", "The same, with the language identified per utterance", detectingStreamRequest);
  addMint(app, "/v1/realtime/stt/lang", "The same, with the language pinned", pinnedStreamRequest);
}

function addMint(app: HttpApp, path: string, summary: string, body: z.ZodType): void {
  app.post(
    path,
    { config: { scope: "realtime" }, schema: { summary, body, response: { 200: streamReply, ...problemReplies } } },
    async () => notYet("Streaming"),
  );
}
