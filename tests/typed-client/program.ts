// What somebody writes against the generated types. It is compiled and never run: the types are the test.
import type { paths as ExtractionPaths } from "./extraction.ts";
import type { paths as GatewayPaths } from "./gateway.ts";
import type { components, paths as VoicePaths } from "./voice.ts";

type Json<Operation> = Operation extends { responses: { 200: { content: { "application/json": infer Body } } } }
  ? Body
  : never;

export function readChat(reply: Json<VoicePaths["/v1/chat"]["post"]>): [string, number] {
  // @ts-expect-error: there is no such field
  reply.answer;
  return [reply.reply, reply.usage.output_tokens];
}

export function readCompletion(reply: Json<GatewayPaths["/chat/completions"]["post"]>): string {
  const [first] = reply.choices;
  // @ts-expect-error: a text is no number
  const wrong: number | null | undefined = first?.message.content;
  return first?.message.content ?? String(wrong);
}

export function listNames(page: Json<ExtractionPaths["/v1/extractions"]["get"]>): string[] {
  // @ts-expect-error: lists come without values
  page.extractions[0]?.data;
  return page.extractions.map(({ file_name, status }) => `${file_name} ${status}`);
}

export function socketOf(mint: Json<VoicePaths["/v1/realtime/stt/auto"]["post"]>): URL {
  const rate: number = mint.sample_rate;
  // @ts-expect-error: it is called stream_url
  mint.socket;
  return new URL(`${mint.stream_url}?rate=${rate}`);
}

export const persona: components["schemas"]["CreatePersonaRequest"] = {
  kind: "engine_a",
  name: "Front desk",
  language: "en-us",
};
export const problem: components["schemas"]["Problem"] = { error: { type: "not_found", message: "None." } };
