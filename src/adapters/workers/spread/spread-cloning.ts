import type { VoiceCloner } from "../../../ports/voice-cloner.ts";
import type { VoicePrinter } from "../../../ports/voice-printer.ts";
import { ANY } from "../protocol.ts";
import type { Spread } from "./spread.ts";

const nobody = "No machine that clones voices is there. Start one with: parlance worker --engines cloning";

export function spreadPrinter(spread: Spread, local: VoicePrinter | undefined): VoicePrinter {
  const lane = { engine: "prints", model: ANY, language: ANY } as const;
  const missingHere = () => (local ? local.missing() : nobody);
  return {
    missing: () => (spread.catalogs().some(({ prints }) => prints) ? undefined : missingHere()),
    print: (request, signal) =>
      spread.ask(
        { lane, operation: "prints.print", input: request, signal },
        local && local.missing() === undefined ? () => local.print(request, signal) : undefined,
      ),
  };
}

/** Cloning by this machine, where it has an engine, and by workers that have the same one. */
export function spreadCloner(spread: Spread, local: VoiceCloner | undefined): VoiceCloner {
  const elsewhere = () => spread.catalogs().flatMap(({ cloning }) => cloning ?? []);
  const name = () => local?.name ?? elsewhere()[0]?.name ?? "local";
  const missingHere = () => (local ? local.missing() : nobody);
  const own = () => (local && local.missing() === undefined ? local : undefined);
  const lane = (model: string, language: string) => ({ engine: "cloning", model, language }) as const;
  return {
    get name() {
      return name();
    },
    missing: () => (elsewhere().some((one) => one.name === name()) ? undefined : missingHere()),
    match: (language) =>
      local?.match(language) ?? elsewhere().find(({ matches }) => matches[language])?.matches[language] ?? "nearest",
    clone(request, signal) {
      const here = own();
      const work = { lane: lane(name(), ANY), operation: "cloning.clone", input: request, signal };
      return spread.ask(work, here && (() => here.clone(request, signal)));
    },
    speak(request, voice, signal) {
      const here = own();
      const work = { lane: lane(voice.maker, ANY), operation: "cloning.speak", input: { request, voice }, signal };
      return spread.stream(work, here && (() => here.speak(request, voice, signal)));
    },
  };
}
