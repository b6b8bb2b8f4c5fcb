import { type ReplyEnd, type ToolCall, type TranslatedDialect, writeEvent } from "../dialects/dialect.ts";
import type { Json } from "../json.ts";
import { promptToChat } from "./prompt-to-chat.ts";

/** Language models as the AI SDK's own gateway provider asks for them: version 3 of its specification of models. */
export const languageDialect: TranslatedDialect = {
  endpoint: "language-model",
  idPrefix: "gen_",
  toChat: promptToChat,
  whole: ({ id, created, model }, { text, calls = [] }, end) => ({
    content: [...(text === "" ? [] : [{ type: "text", text }]), ...calls.map(toolCall)],
    ...finish(end),
    warnings: [],
    response: { id, timestamp: isoTime(created), modelId: model },
  }),
  stream({ id, created, model }) {
    const textId = "text-0";
    let isInText = false;
    const calls: { id: string; name: string; arguments: string }[] = [];
    const part = (type: string, data: Json = {}) => writeEvent({ type, ...data });
    const closeText = () => {
      if (!isInText) return "";
      isInText = false;
      return part("text-end", { id: textId });
    };
    return {
      begin: () =>
        part("stream-start", { warnings: [] }) +
        part("response-metadata", { id, timestamp: isoTime(created), modelId: model }),
      text(delta) {
        const begun = isInText ? "" : part("text-start", { id: textId });
        isInText = true;
        return begun + part("text-delta", { id: textId, delta });
      },
      call(index, call) {
        calls[index] = { ...call, arguments: "" };
        return closeText() + part("tool-input-start", { id: call.id, toolName: call.name });
      },
      callArguments(index, delta) {
        const call = calls[index]!;
        call.arguments += delta;
        return part("tool-input-delta", { id: call.id, delta });
      },
      end(end) {
        const called = calls.map((call) => part("tool-input-end", { id: call.id }) + writeEvent(toolCall(call)));
        return closeText() + called.join("") + part("finish", finish(end));
      },
      fail: (message) => part("error", { error: { message } }),
    };
  },
};

function toolCall({ id, name, arguments: given }: ToolCall): Json {
  return { type: "tool-call", toolCallId: id, toolName: name, input: given === "" ? "{}" : given };
}

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();

function finish({ reason, inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0, cost }: ReplyEnd): Json {
  return {
    finishReason: { unified: reason.replace("_", "-"), raw: reason },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens - cachedTokens, cacheRead: cachedTokens },
      outputTokens: { total: outputTokens, text: outputTokens - reasoningTokens, reasoning: reasoningTokens },
    },
    ...(cost === undefined ? {} : { providerMetadata: { gateway: { cost: String(cost) } } }),
  };
}
