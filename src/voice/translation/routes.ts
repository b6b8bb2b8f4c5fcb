import { turnOf } from "../../accounts/turn-of.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { PlatformLog } from "../../platform/log.ts";
import { showUsage } from "../chat/converse.ts";
import { problemReplies } from "../fields.ts";
import { languageName } from "../languages.ts";
import { translateRequest, translation } from "./schema.ts";
import { type TranslatingParts, translate } from "./translate.ts";

export interface TranslationParts extends TranslatingParts {
  readonly log: PlatformLog;
}

export function addTranslationRoutes(app: HttpApp, parts: TranslationParts): void {
  app.post(
    "/v1/translate",
    {
      config: { scope: "translate" },
      schema: {
        summary: "Text into another language",
        body: translateRequest,
        response: { 200: translation, ...problemReplies },
      },
    },
    async (request) => {
      const { text, target_language, source_language } = request.body;
      const wanted = { text, target: target_language, source: source_language };
      const turn = { key: turnOf(request.caller), flow: request.id };
      const done = await translate(parts, wanted, turn, request.signal);
      const { model } = done;
      const { inputTokens, outputTokens } = done.usage;
      Object.assign(request.usage, { model, language: done.target, inputTokens, outputTokens });
      const words = parts.log.words(done.text);
      parts.log.info({ requestId: request.id, from: done.source, to: done.target, text: words }, "translated");
      return {
        source: text,
        translation: done.text,
        sourceLanguage: languageName(done.source),
        targetLanguage: languageName(done.target),
        targetLanguageCode: done.target,
        model,
        ...(done.quality === "preview" ? { quality: "preview" as const } : {}),
        usage: showUsage(done.usage),
      };
    },
  );
}
