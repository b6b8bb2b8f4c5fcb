import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../../platform/log.ts";
import { readAhead } from "../../../platform/read-ahead.ts";
import { siblingModule } from "../../../platform/sibling-module.ts";
import type { ChatEngine, ChatEvent, ChatRequest } from "../../../ports/chat-engine.ts";
import type { EngineHost } from "../../../ports/engine-host.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { createEngineHost, type EngineHostOptions } from "../host/create-engine-host.ts";
import type { LlamaChildSettings } from "./child.ts";
import { CHAT_MODEL, CHAT_MODEL_FILE } from "./model-file.ts";
import type { OwnGguf } from "./own-gguf.ts";
import { toolSyntaxOf } from "./tool-syntax.ts";

export interface LlamaChatOptions {
  readonly models: ModelStore;
  readonly log: Log;
  /** Conversations answered at once. */
  readonly conversations?: number;
  /** Tokens of prompt and answer together; the model was trained for 2048. */
  readonly windowTokens?: number;
  /** 0 chooses by what else the machine is doing. */
  readonly threads: number;
}

export interface LlamaChat extends ChatEngine {
  readonly host: EngineHost;
}

export const CHAT_WINDOW_TOKENS = 2048;

/** TinyLlama on this machine: one process, one copy of the weights, several conversations in each step. */
export function createLlamaChat(options: LlamaChatOptions): LlamaChat {
  const { models, log, conversations = 4, windowTokens = CHAT_WINDOW_TOKENS, threads } = options;
  return talkWith({
    name: "llama",
    settings: () => ({
      modelFile: join(models.folder(CHAT_MODEL), CHAT_MODEL_FILE),
      conversations,
      remembered: 2,
      windowTokens,
      threads,
    }),
    missing: () => models.missing(CHAT_MODEL),
    jobsPerChild: conversations,
    memoryLimitMb: 4096,
    retireAboveMb: 3072,
    log,
  });
}

export interface OwnChatOptions extends OwnGguf {
  readonly log: Log;
  readonly threads: number;
}

/** Any GGUF that chats, with its own template. */
export function createOwnChat({ name, facts, template, plan, gpu, log, threads }: OwnChatOptions): LlamaChat {
  const { windowTokens, conversations, remembered, memoryLimitMb, retireAboveMb } = plan;
  const engine = talkWith({
    name: `gguf:${name}`,
    settings: () => ({ modelFile: facts.file, conversations, remembered, windowTokens, threads, template, gpu }),
    missing: () => (existsSync(facts.file) ? undefined : `The file ${facts.file} is gone.`),
    jobsPerChild: conversations,
    memoryLimitMb,
    retireAboveMb,
    // Several gigabytes from a slow disk.
    loadDeadlineMs: 600_000,
    log,
  });
  const callsTools = toolSyntaxOf(template) !== undefined;
  return { ...engine, modelName: name, contextTokens: windowTokens, callsTools };
}

type TalkOptions = Omit<EngineHostOptions, "module" | "settings"> & { readonly settings: () => LlamaChildSettings };

function talkWith(options: TalkOptions): LlamaChat {
  const { log } = options;
  const host = createEngineHost({
    module: siblingModule(import.meta.url, "./child"),
    queueLimit: 64,
    // The child ends an answer that takes too long by itself; this is for one that hangs.
    deadlineMs: 900_000,
    // One step on a very busy machine; nobody else's conversation should die for it.
    cancelGraceMs: 30_000,
    niceness: 2,
    ...options,
  });
  return {
    host,
    answer(request: ChatRequest, signal: AbortSignal) {
      const { key, flow } = request;
      const size = request.messages.reduce((sum, { content }) => sum + content.length, 200);
      return readAhead(host.run<ChatEvent>("answer", request, { key, flow, size, signal }));
    },
    forget(flow) {
      // A child that is not there remembers nothing.
      if (host.status().state !== "ready") return;
      host.ask("forget", { flow }, { key: flow }).catch((error: unknown) => {
        log.warn({ error: String(error) }, "a conversation is forgotten only when it is old");
      });
    },
  };
}
