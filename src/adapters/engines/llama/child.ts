import {
  getLlama,
  type Llama,
  type LlamaContextSequence,
  LlamaLogLevel,
  type LlamaModel,
  type Token,
} from "node-llama-cpp";
import { readAhead } from "../../../platform/read-ahead.ts";
import type { ChatEvent, ChatRequest } from "../../../ports/chat-engine.ts";
import { serveChild } from "../host/serve-child.ts";
import { chooseSlot } from "./choose-slot.ts";
import { followLoad, mostThreads } from "./choose-threads.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { DEFAULT_REPLY_TOKENS, generate, READ_AT_ONCE } from "./generate.ts";
import type { GpuChoice } from "./load-options.ts";
import { loadOptions } from "./load-options.ts";
import { Rounds } from "./rounds.ts";

export interface LlamaChildSettings {
  readonly modelFile: string;
  /** Conversations that are answered at once, and further ones whose beginning is remembered. */
  readonly conversations: number;
  readonly remembered: number;
  /** Tokens of prompt and answer together. */
  readonly windowTokens: number;
  /** 0 takes as many as there are idle cores, measured anew all the time. */
  readonly threads: number;
  /** The model's own chat template; undefined for the model that is shipped, which has a better one here. */
  readonly template?: string | undefined;
  /** Where its weights may lie beside this machine's memory. */
  readonly gpu?: GpuChoice | undefined;
}

interface Slot {
  readonly sequence: LlamaContextSequence;
  tokens: readonly number[];
  owner: string;
  flow: string;
  isBusy: boolean;
  lastUsed: number;
}

interface Loaded {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly talk: Conversations;
  readonly slots: Slot[];
  readonly windowTokens: number;
  readonly rounds: Rounds;
}

/** What was said is forgotten when a conversation has been silent for this long. */
const FORGET_AFTER_MS = 10 * 60_000;

serveChild({
  async load(settings: LlamaChildSettings): Promise<Loaded> {
    const { modelFile, conversations, remembered, windowTokens, threads } = settings;
    const most = mostThreads(threads);
    const { runtime, weights } = loadOptions(settings.gpu);
    const llama = await getLlama({ ...runtime, build: "never", logLevel: LlamaLogLevel.error, maxThreads: most });
    const model = await llama.loadModel({ modelPath: modelFile, ...weights });
    const sequences = conversations + remembered;
    const context = await model.createContext({
      contextSize: windowTokens,
      sequences,
      // One round reads a stretch of a new prompt beside one word of each running conversation.
      batchSize: READ_AT_ONCE + conversations,
      threads: most,
    });
    const slots = Array.from({ length: sequences }, (): Slot => {
      return { sequence: context.getSequence(), tokens: [], owner: "", flow: "", isBusy: false, lastUsed: 0 };
    });
    setInterval(() => void forgetOld(slots), 60_000).unref();
    if (threads === 0) followLoad(llama, most);
    const talk = createConversations(model, settings.template);
    return { llama, model, talk, slots, windowTokens, rounds: new Rounds() };
  },
  tasks: {
    answer(request: ChatRequest, loaded: Loaded, signal) {
      // Nobody's conversation waits for the connection of another.
      return readAhead(answer(request, loaded, signal));
    },
    async *forget({ flow }: { flow: string }, { slots }: Loaded) {
      for (const slot of slots.filter((one) => one.flow === flow)) await forget(slot);
      yield true;
    },
    /** Loads the model and reads a token, which brings its weights into memory, before anybody waits for it. */
    async *warm(_input: unknown, { slots, model }: Loaded) {
      const slot = slots.find(({ isBusy, tokens }) => !isBusy && tokens.length === 0);
      const { bos, eos } = model.tokens;
      if (slot) await readToken(slot, (bos ?? eos ?? 0) as Token);
      yield true;
    },
  },
});

async function* answer(request: ChatRequest, loaded: Loaded, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const { llama, model, talk, slots, windowTokens, rounds } = loaded;
  const reserved = Math.min(request.maxTokens ?? DEFAULT_REPLY_TOKENS, Math.floor(windowTokens / 4));
  const prompt = talk.write(request, windowTokens - reserved - 1);
  const choice = chooseSlot(slots, prompt.tokens, request.key);
  // The server never starts more jobs than there are slots.
  if (!choice) throw new Error("no free slot");
  const slot = slots[choice.index]!;
  slot.isBusy = true;
  try {
    const { sequence } = slot;
    const end = sequence.nextTokenIndex;
    if (end > choice.reusable) await sequence.eraseContextTokenRanges([{ start: choice.reusable, end }]);
    const cachedTokens = Math.min(choice.reusable, sequence.nextTokenIndex);
    slot.owner = request.key;
    slot.flow = request.flow;
    const { manner } = talk;
    yield* generate({
      llama,
      model,
      sequence,
      place: choice.index,
      prompt,
      cachedTokens,
      request,
      signal,
      rounds,
      manner,
    });
  } finally {
    slot.tokens = slot.sequence.contextTokens as readonly Token[];
    slot.lastUsed = Date.now();
    slot.isBusy = false;
  }
}

async function readToken(slot: Slot, token: Token): Promise<void> {
  slot.isBusy = true;
  try {
    await slot.sequence.evaluateWithoutGeneratingNewTokens([token]);
    await slot.sequence.clearHistory();
  } finally {
    slot.isBusy = false;
  }
}

async function forgetOld(slots: readonly Slot[]): Promise<void> {
  for (const slot of slots) {
    if (slot.tokens.length > 0 && Date.now() - slot.lastUsed >= FORGET_AFTER_MS) await forget(slot);
  }
}

/** One that is in use is somebody's again, or is old soon. */
async function forget(slot: Slot): Promise<void> {
  if (slot.isBusy) return;
  slot.isBusy = true;
  await slot.sequence.clearHistory();
  slot.tokens = [];
  slot.flow = "";
  slot.isBusy = false;
}
