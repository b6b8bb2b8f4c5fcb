import { isAcknowledgement } from "./acknowledgement.ts";
import { learnPatience, silenceThatEnds } from "./end-of-turn.ts";
import type { PendingReply, Turn, TurnAction, TurnEvent, TurnNews, TurnStep } from "./turn.ts";

/** The voice is held for so long at most while the caller makes sounds without words. LiveKit waits 2 s for words that end;
 *  a recogniser on a busy machine may need longer for its first ones. */
const longestHoldMs = 3000;

/** Decides what happens next in a call. Pure: the same turn and event always give the same step. */
export function nextTurn(turn: Turn, event: TurnEvent): TurnStep {
  const step = new Step(turn);
  decide(step, event);
  return { turn: step.turn, actions: step.actions };
}

function decide(step: Step, event: TurnEvent): void {
  const { turn } = step;
  if (event.type === "voice-noticed") holdVoice(step);
  else if (event.type === "voice-lost") {
    if (turn.isHeld && isCallerQuiet(turn)) resume(step);
  } else if (event.type === "speech-started") startListening(step, event.atMs);
  else if (event.type === "sentence-paused") prepareEarly(step, event.text);
  else if (event.type === "speech-resumed") dropGuesses(step);
  else if (event.type === "speech-ended") {
    step.change({ user: "pausing", awaited: turn.awaited + 1, silentSinceMs: event.atMs });
  } else if (event.type === "interim") takeInterim(step, event.text);
  else if (event.type === "final") takeWords(step, event);
  else if (event.type === "speech-discarded") takeNoWords(step, event.atMs);
  else if (event.type === "hearing-failed") {
    step.tell({ type: "error", message: event.message });
    if (turn.user === "speaking") step.change({ user: "pausing" });
    takeNoWords(step, event.atMs);
  } else if (event.type === "timer") {
    if (event.timer === "turn-over") endTurn(step);
    else if (turn.isHeld) resume(step);
  } else if (event.type === "speak") speak(step, event.text, event.isInterrupting);
  else if (event.type === "text-sent") answerText(step, event.text, event.isSpoken);
  else if (event.type === "muted") {
    if (turn.user === "speaking") step.act({ do: "end-utterance" });
    // Whatever else is told of a reply that was cancelled comes too late.
  } else if (turn.replies.some(({ id }) => id === event.reply)) {
    if (event.type === "reply-audible") makeAudible(step);
    else finishReply(step, event.reply, event.type === "reply-failed" ? event.message : undefined);
  }
}

function startListening(step: Step, atMs: number): void {
  const { turn } = step;
  step.change({ user: "speaking", startedMs: atMs });
  step.act({ do: "stop-timer", timer: "turn-over" });
  // The caller goes on, so the guess at what was said is wrong. Its successor will find the same beginning already read.
  dropGuesses(step);
  if (isBotActive(turn)) holdVoice(step);
  else tellUserStarted(step);
}

/** The voice falls silent before it is known whether this is speech at all: resuming costs less than talking over somebody. */
function holdVoice(step: Step): void {
  if (!isBotActive(step.turn) || step.turn.isHeld) return;
  step.change({ isHeld: true });
  step.act({ do: "hold" });
  step.act({ do: "set-timer", timer: "interruption", afterMs: longestHoldMs });
}

/** The answer is begun in the pause itself: when the caller has finished, its first sound is there at once. */
function prepareEarly(step: Step, text: string): void {
  const { turn } = step;
  if (turn.mode === "assistant" && turn.awaited === 0 && !isBotActive(turn)) guessAnswer(step, join(turn.heard, text));
}

function guessAnswer(step: Step, heard: string): void {
  if (step.turn.replies.some((reply) => isGuess(reply) && reply.heard === heard)) return;
  dropGuesses(step);
  step.act({ do: "answer", reply: addReply(step, { state: "guess", heard }), heard, isSpoken: true });
}

function dropGuesses(step: Step): void {
  for (const guess of step.turn.replies.filter(isGuess)) dropReply(step, guess.id);
}

function takeInterim(step: Step, text: string): void {
  if (isBotActive(step.turn)) {
    if (isAcknowledgement(text)) return;
    interrupt(step);
  }
  step.tell({ type: "user-transcription", text: join(step.turn.heard, text), isFinal: false });
}

function takeWords(step: Step, { text, atMs, endsTurn }: Extract<TurnEvent, { type: "final" }>): void {
  if (text === "" || (isBotActive(step.turn) && isAcknowledgement(text))) {
    takeNoWords(step, atMs);
    return;
  }
  step.change({ awaited: Math.max(0, step.turn.awaited - 1) });
  if (isBotActive(step.turn)) interrupt(step);
  tellUserStarted(step);
  const { turn } = step;
  const heard = join(turn.heard, text);
  const patienceMs = learnPatience(turn.patienceMs, turn.startedMs - turn.wordsEndedMs);
  step.change({ heard, endsTurn, patienceMs, wordsEndedMs: turn.silentSinceMs });
  if (turn.user === "silent") step.change({ user: "pausing" });
  step.tell({ type: "user-transcription", text: heard, isFinal: false });
  waitForEnd(step, atMs);
}

/** The turn is over when the caller stays silent; meanwhile the answer is prepared as if it were. */
function waitForEnd(step: Step, atMs: number): void {
  const { turn } = step;
  if (!isCallerQuiet(turn)) return;
  const afterMs = Math.max(0, turn.silentSinceMs + silenceThatEnds(turn.heard, turn.patienceMs, turn.endsTurn) - atMs);
  if (turn.mode === "assistant") guessAnswer(step, turn.heard);
  step.act({ do: "set-timer", timer: "turn-over", afterMs });
}

/** What sounded like speech added no words to the turn. */
function takeNoWords(step: Step, atMs: number): void {
  step.change({ awaited: Math.max(0, step.turn.awaited - 1) });
  const { turn } = step;
  if (!isCallerQuiet(turn)) return;
  if (turn.isHeld) resume(step);
  if (turn.heard !== "") {
    waitForEnd(step, atMs);
  } else {
    step.change({ user: "silent" });
    tellUserStopped(step);
    releaseAll(step);
  }
}

function endTurn(step: Step): void {
  const { heard, mode } = step.turn;
  if (step.turn.user !== "pausing" || heard === "") return;
  step.change({ user: "silent", heard: "" });
  tellUserStopped(step);
  step.tell({ type: "user-transcription", text: heard, isFinal: true });
  if (mode === "assistant") step.act({ do: "remember", text: heard });
  releaseAll(step);
}

function interrupt(step: Step): void {
  tellUserStarted(step);
  step.tell({ type: "bot-interrupted" });
  cancelReplies(step);
}

function resume(step: Step): void {
  step.change({ isHeld: false });
  step.act({ do: "stop-timer", timer: "interruption" });
  step.act({ do: "resume" });
}

function speak(step: Step, text: string, isInterrupting: boolean): void {
  if (isInterrupting) cancelReplies(step);
  step.act({ do: "speak", reply: addReply(step, { state: "waiting" }), text });
  if (step.turn.user === "silent") releaseAll(step);
}

function answerText(step: Step, text: string, isSpoken: boolean): void {
  cancelReplies(step);
  step.act({ do: "answer", reply: addReply(step, { state: "waiting" }), heard: text, isSpoken });
  step.act({ do: "remember", text });
  releaseAll(step);
}

function makeAudible(step: Step): void {
  if (step.turn.isAudible) return;
  step.change({ isAudible: true });
  step.tell({ type: "bot-started-speaking" });
}

function finishReply(step: Step, id: number, failure: string | undefined): void {
  if (failure !== undefined) step.tell({ type: "error", message: failure });
  step.change({ replies: step.turn.replies.filter((reply) => reply.id !== id) });
  if (isBotActive(step.turn)) return;
  fallSilent(step);
  if (step.turn.user === "speaking") tellUserStarted(step);
}

function addReply(step: Step, reply: Omit<PendingReply, "id">): number {
  const id = step.turn.nextReply;
  step.change({ nextReply: id + 1, replies: [...step.turn.replies, { id, ...reply }] });
  return id;
}

function releaseAll(step: Step): void {
  for (const { id, state } of step.turn.replies) if (state !== "released") step.act({ do: "release", reply: id });
  step.change({ replies: step.turn.replies.map(({ id }) => ({ id, state: "released" })) });
}

function cancelReplies(step: Step): void {
  for (const { id } of step.turn.replies) dropReply(step, id);
  fallSilent(step);
}

function dropReply(step: Step, id: number): void {
  step.act({ do: "cancel", reply: id });
  step.change({ replies: step.turn.replies.filter((reply) => reply.id !== id) });
}

function fallSilent(step: Step): void {
  const { isAudible, isHeld } = step.turn;
  if (isHeld) resume(step);
  if (!isAudible) return;
  step.change({ isAudible: false });
  step.tell({ type: "bot-stopped-speaking" });
}

function tellUserStarted(step: Step): void {
  if (step.turn.isUserTold) return;
  step.change({ isUserTold: true });
  step.tell({ type: "user-started-speaking" });
}

function tellUserStopped(step: Step): void {
  if (!step.turn.isUserTold) return;
  step.change({ isUserTold: false });
  step.tell({ type: "user-stopped-speaking" });
}

function isBotActive(turn: Turn): boolean {
  return turn.replies.some(({ state }) => state === "released");
}

/** Nothing is being said, and nothing that was said is still to be understood. */
function isCallerQuiet(turn: Turn): boolean {
  return turn.user !== "speaking" && turn.awaited === 0;
}

function isGuess({ state }: PendingReply): boolean {
  return state === "guess";
}

function join(before: string, text: string): string {
  return before === "" ? text : `${before} ${text}`;
}

/** A turn that changes and the actions that this takes. */
class Step {
  turn: Turn;
  readonly actions: TurnAction[] = [];

  constructor(turn: Turn) {
    this.turn = turn;
  }

  change(changes: Partial<Turn>): void {
    this.turn = { ...this.turn, ...changes };
  }

  act(action: TurnAction): void {
    this.actions.push(action);
  }

  tell(news: TurnNews): void {
    this.act({ do: "tell", news });
  }
}
