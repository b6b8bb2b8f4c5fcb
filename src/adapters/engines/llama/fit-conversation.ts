export interface TokenizedMessage {
  readonly role: "system" | "user" | "assistant";
  readonly tokens: readonly number[];
}

export interface FitOptions {
  /** Tokens that the whole conversation may take. */
  readonly budget: number;
  /** Tokens that each message takes beside its own. */
  readonly frame: number;
  /** Stands where something was left out of a message. */
  readonly ellipsis: readonly number[];
}

/** Makes a conversation fit the model's window by leaving out the middle of its history: what the system was told, how the
 *  conversation began and what was said last matter most. Only a system message or a last message that does not fit by itself
 *  is cut, in its own middle. */
export function fitConversation(messages: readonly TokenizedMessage[], options: FitOptions): TokenizedMessage[] {
  const sizeOf = (message: TokenizedMessage) => message.tokens.length + options.frame;
  const total = messages.reduce((sum, message) => sum + sizeOf(message), 0);
  if (total <= options.budget) return [...messages];

  const fixed = fitFixed(messages, options);
  let left = options.budget;
  for (const message of fixed.values()) left -= sizeOf(message);
  const kept = new Map(fixed);
  const others = [...messages.keys()].filter((index) => !fixed.has(index));
  const keep = (index: number) => {
    kept.set(index, messages[index]!);
    left -= sizeOf(messages[index]!);
  };
  const first = others[0];
  if (first !== undefined && sizeOf(messages[first]!) <= left / 4) {
    keep(first);
    others.shift();
  }
  for (const index of others.reverse()) {
    if (sizeOf(messages[index]!) > left) break;
    keep(index);
  }
  return [...kept.keys()].sort((a, b) => a - b).map((index) => kept.get(index)!);
}

/** The system messages and the last one, cut where even they are too long. */
function fitFixed(messages: readonly TokenizedMessage[], options: FitOptions): Map<number, TokenizedMessage> {
  const fixed = new Map<number, TokenizedMessage>();
  const last = messages.length - 1;
  const system = [...messages.keys()].filter((index) => messages[index]!.role === "system" && index !== last);
  const forSystem = Math.floor((options.budget * 3) / 4) - options.frame * system.length;
  let left = options.budget;
  for (const [place, message] of cutEvenly(system, messages, forSystem, options).entries()) {
    fixed.set(system[place]!, message);
    left -= message.tokens.length + options.frame;
  }
  fixed.set(last, cut(messages[last]!, left - options.frame, options));
  return fixed;
}

function cutEvenly(
  indexes: readonly number[],
  messages: readonly TokenizedMessage[],
  room: number,
  options: FitOptions,
): TokenizedMessage[] {
  const total = indexes.reduce((sum, index) => sum + messages[index]!.tokens.length, 0);
  return indexes.map((index) => {
    const message = messages[index]!;
    return total <= room ? message : cut(message, Math.floor((message.tokens.length / total) * room), options);
  });
}

function cut(message: TokenizedMessage, most: number, { ellipsis }: FitOptions): TokenizedMessage {
  if (message.tokens.length <= most) return message;
  const room = Math.max(2, most - ellipsis.length);
  const head = Math.ceil(room / 2);
  const tokens = [...message.tokens.slice(0, head), ...ellipsis, ...message.tokens.slice(head - room)];
  return { ...message, tokens: tokens.slice(0, Math.max(most, 1)) };
}
