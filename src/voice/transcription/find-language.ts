import { list, Problem } from "../../platform/errors.ts";
import type { TranscriptionEngine } from "../../ports/transcription-engine.ts";
import { notFetchedYet } from "../not-fetched-yet.ts";

/** The code of the engine for what a client wrote; undefined for `auto`. Throws a 400 that says what works. */
export function getHearingLanguage(engine: TranscriptionEngine, wanted: string | undefined): string | undefined {
  const code = (wanted ?? "").trim().toLowerCase().replaceAll("_", "-");
  if (code === "" || code === "auto") return undefined;
  const codes = engine.languages();
  const base = code.split("-")[0]!;
  const found = codes.find((one) => one === code) ?? codes.find((one) => one.split("-")[0] === base);
  if (found) return found;
  if (engine.takesAnyLanguage) return code;
  if (codes.length === 0) {
    throw notFetchedYet("recogniser");
  }
  throw new Problem(
    "invalid_request",
    `Speech in "${wanted}" cannot be recognised here. Languages: auto, ${list(codes)}. ` +
      "A recogniser for others can be added with the setting SVC_TRANSCRIPTION_ENGINE (openai:http://host/v1#model).",
  );
}
