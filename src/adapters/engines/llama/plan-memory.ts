/** How many conversations an own model holds at once, and how long they may be. */
export interface MemoryPlan {
  readonly windowTokens: number;
  readonly conversations: number;
  /** Further ones whose beginning is kept. */
  readonly remembered: number;
  readonly memoryLimitMb: number;
  readonly retireAboveMb: number;
}

/** Long enough for a call with tools; more takes memory that most conversations never fill (a guess). */
const usualWindow = 8192;
const gigabyte = 1024 ** 3;
const mostSequences = 6;

/** Conversations together take an eighth of the machine's memory, between one and eight gigabytes (a guess). */
export function planMemory(
  model: { readonly bytes: number; readonly bytesPerToken: number; readonly trainedTokens: number },
  wantedWindow: number,
  machineBytes: number,
): MemoryPlan {
  const windowTokens = Math.min(wantedWindow || usualWindow, model.trainedTokens);
  const share = Math.min(8 * gigabyte, Math.max(gigabyte, machineBytes / 8));
  const perConversation = model.bytesPerToken * windowTokens;
  const sequences = Math.max(1, Math.min(mostSequences, Math.floor(share / perConversation)));
  const conversations = Math.max(1, Math.round((sequences * 2) / 3));
  const megabytes = (model.bytes + sequences * perConversation) / 1024 ** 2;
  return {
    windowTokens,
    conversations,
    remembered: sequences - conversations,
    // The runtime's own working memory and what a process holds beside it.
    memoryLimitMb: Math.ceil(megabytes * 1.3) + 2048,
    retireAboveMb: Math.ceil(megabytes * 1.15) + 1536,
  };
}
