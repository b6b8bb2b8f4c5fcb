import { describe, expect, it } from "vitest";
import { nextTurn } from "./next-turn.ts";
import { type CallMode, firstTurn, type Turn, type TurnAction, type TurnEvent } from "./turn.ts";

/** A call told as events; what it does is read as one line per action. */
class Story {
  turn: Turn;
  done: string[] = [];

  constructor(mode: CallMode = "assistant") {
    this.turn = firstTurn(mode);
  }

  after(...events: TurnEvent[]): string[] {
    this.done = [];
    for (const event of events) {
      const step = nextTurn(this.turn, event);
      this.turn = step.turn;
      this.done.push(...step.actions.map(show));
    }
    return this.done;
  }
}

function show(action: TurnAction): string {
  if (action.do === "tell") {
    const { news } = action;
    if (news.type === "user-transcription") return `${news.isFinal ? "final" : "interim"}: ${news.text}`;
    return news.type === "error" ? `error: ${news.message}` : news.type;
  }
  if (action.do === "set-timer") return `${action.timer} in ${action.afterMs}`;
  if (action.do === "stop-timer") return `no ${action.timer}`;
  if (action.do === "answer") return `answer ${action.reply}: ${action.heard}`;
  if (action.do === "speak") return `speak ${action.reply}: ${action.text}`;
  if (action.do === "remember") return `remember: ${action.text}`;
  return "reply" in action ? `${action.do} ${action.reply}` : action.do;
}

const startedAt = (atMs: number): TurnEvent => ({ type: "speech-started", atMs });
const started = startedAt(0);
const ended = (atMs = 1000): TurnEvent => ({ type: "speech-ended", atMs });
const final = (text: string, atMs = 1200): TurnEvent => ({ type: "final", text, atMs });
const paused = (text: string): TurnEvent => ({ type: "sentence-paused", text });
const interim = (text: string): TurnEvent => ({ type: "interim", text });
const noise: TurnEvent = { type: "speech-discarded", atMs: 1200 };
const turnOver: TurnEvent = { type: "timer", timer: "turn-over" };
const audible = (reply: number): TurnEvent => ({ type: "reply-audible", reply });
const finished = (reply: number): TurnEvent => ({ type: "reply-finished", reply });
const speak = (text: string, isInterrupting = false): TurnEvent => ({ type: "speak", text, isInterrupting });

/** Somebody asked something and is being answered aloud. */
function answering(): Story {
  const story = new Story();
  story.after(started, ended(), final("How are you?"), turnOver, audible(1));
  return story;
}

describe("a turn of the caller", () => {
  it("is answered: prepared with the words, spoken when the caller stays silent", () => {
    const story = new Story();
    expect(story.after(started)).toEqual(["no turn-over", "user-started-speaking"]);
    expect(story.after(interim("How are"))).toEqual(["interim: How are"]);
    expect(story.after(ended(1000))).toEqual([]);
    expect(story.after(final("How are you?", 1200))).toEqual([
      "interim: How are you?",
      "answer 1: How are you?",
      "turn-over in 200",
    ]);
    expect(story.after(turnOver)).toEqual([
      "user-stopped-speaking",
      "final: How are you?",
      "remember: How are you?",
      "release 1",
    ]);
    expect(story.after(audible(1))).toEqual(["bot-started-speaking"]);
    expect(story.after(finished(1))).toEqual(["bot-stopped-speaking"]);
  });

  it("ends as soon as words that came late are here", () => {
    const story = new Story();
    expect(story.after(started, ended(1000), final("How are you?", 3000))).toContain("turn-over in 0");
  });

  it("waits longer after words that ask for more", () => {
    const story = new Story();
    expect(story.after(started, ended(1000), final("I would like to go, and", 1200))).toContain("turn-over in 1600");
    expect(story.after(started, ended(4000), final("Tuesday", 4250))).toContain("turn-over in 650");
  });

  it("goes on after a pause: the guessed answer is thrown away and the words come together", () => {
    const story = new Story();
    story.after(started, ended(), final("I need a train."));
    expect(story.after(started)).toEqual(["no turn-over", "cancel 1"]);
    expect(story.after(ended(3000), final("To Berlin.", 3200))).toEqual([
      "interim: I need a train. To Berlin.",
      "answer 2: I need a train. To Berlin.",
      "turn-over in 200",
    ]);
    expect(story.after(turnOver)).toContain("final: I need a train. To Berlin.");
  });

  it("is waited for as long as the caller paused before going on", () => {
    const story = new Story();
    story.after(started, ended(1000), final("I need a train.", 1200));
    story.after(startedAt(1550), ended(3000));
    expect(story.after(final("To Berlin.", 3200))).toContain("turn-over in 350");
  });

  it("is waited for longer after the caller was talked over", () => {
    const story = new Story();
    story.after(started, ended(1000), final("I need a train.", 1200), turnOver, audible(1));
    story.after(startedAt(1700), ended(3000));
    expect(story.after(final("To Berlin.", 3200))).toContain("turn-over in 500");
  });

  it("is waited for no longer after an answer was interrupted", () => {
    const story = new Story();
    story.after(started, ended(1000), final("I need a train.", 1200), turnOver, audible(1));
    story.after(startedAt(4000), ended(5000));
    expect(story.after(final("No, a bus.", 5200))).toContain("turn-over in 200");
  });

  it("is waited for no longer after a cough", () => {
    const story = new Story();
    story.after(started, ended(1000), final("I need a train.", 1200), startedAt(1600), ended(1700), noise);
    expect(story.turn.patienceMs).toBe(400);
  });

  it("is answered from the pause on, before it is over", () => {
    const story = new Story();
    expect(story.after(started, paused("How are you?"))).toContain("answer 1: How are you?");
    expect(story.after(ended(), final("How are you?"))).not.toContain("answer 2: How are you?");
    expect(story.after(turnOver)).toContain("release 1");
  });

  it("that goes on after a sentence is answered as a whole", () => {
    const story = new Story();
    story.after(started, paused("I am here."));
    expect(story.after({ type: "speech-resumed" })).toEqual(["cancel 1"]);
    expect(story.after(ended(), final("I am here. Who are you?"))).toContain("answer 2: I am here. Who are you?");
  });

  it("whose words turn out to be others is answered anew", () => {
    const story = new Story();
    story.after(started, paused("I am here."));
    expect(story.after(ended(), final("I am hearing."))).toEqual(
      expect.arrayContaining(["cancel 1", "answer 2: I am hearing."]),
    );
  });

  it("waits for the words of everything that was said", () => {
    const story = new Story();
    expect(story.after(started, ended(1000), started, ended(2000), final("One.", 2100))).toEqual([
      "no turn-over",
      "user-started-speaking",
      "no turn-over",
      "interim: One.",
    ]);
    expect(story.after(final("Two.", 2200))).toContain("answer 1: One. Two.");
  });

  it("that was noise is told as over, and nothing is answered", () => {
    const story = new Story();
    expect(story.after(started, ended(), noise)).toEqual([
      "no turn-over",
      "user-started-speaking",
      "user-stopped-speaking",
    ]);
  });

  it("keeps its words when noise follows them", () => {
    const story = new Story();
    story.after(started, ended(1000), final("What time is it?"), started);
    expect(story.after(ended(1300), { ...noise, atMs: 1400 } as TurnEvent)).toEqual([
      "answer 2: What time is it?",
      "turn-over in 300",
    ]);
  });

  it("that nobody begins leads to nothing", () => {
    expect(new Story().after(turnOver, { type: "timer", timer: "interruption" }, noise)).toEqual([]);
  });

  it("ends where the microphone is muted", () => {
    const story = new Story();
    expect(story.after({ type: "muted" })).toEqual([]);
    story.after(started);
    expect(story.after({ type: "muted" })).toEqual(["end-utterance"]);
  });

  it("whose hearing fails is told, and what was understood before is answered", () => {
    const story = new Story();
    const failed: TurnEvent = { type: "hearing-failed", message: "The ear is gone.", atMs: 2000 };
    expect(story.after(started, ended(), failed)).toEqual([
      "no turn-over",
      "user-started-speaking",
      "error: The ear is gone.",
      "user-stopped-speaking",
    ]);
    story.after(started, ended(), final("Hello there."), started);
    expect(story.after(failed)).toEqual(["error: The ear is gone.", "answer 2: Hello there.", "turn-over in 0"]);
  });
});

describe("talking over the reply", () => {
  it("holds the voice at once, and stops it with the first words", () => {
    const story = answering();
    expect(story.after(started)).toEqual(["no turn-over", "hold", "interruption in 3000"]);
    expect(story.after(interim("wait a"))).toEqual([
      "user-started-speaking",
      "bot-interrupted",
      "cancel 1",
      "no interruption",
      "resume",
      "bot-stopped-speaking",
      "interim: wait a",
    ]);
    expect(story.after(ended(5000), final("Wait a moment.", 5100))).toContain("answer 2: Wait a moment.");
  });

  it("with an acknowledgement lets it go on", () => {
    const story = answering();
    expect(story.after(started, interim("mhm"), ended(5000), final("Mhm, okay.", 5100))).toEqual([
      "no turn-over",
      "hold",
      "interruption in 3000",
      "no interruption",
      "resume",
    ]);
    expect(story.after(finished(1))).toEqual(["bot-stopped-speaking"]);
  });

  it("holds the voice at the first moment of speech, and a click lets it go on", () => {
    const story = answering();
    expect(story.after({ type: "voice-noticed" })).toEqual(["hold", "interruption in 3000"]);
    expect(story.after({ type: "voice-lost" })).toEqual(["no interruption", "resume"]);
    expect(story.after({ type: "voice-noticed" }, started)).toEqual(["hold", "interruption in 3000", "no turn-over"]);
    expect(story.after(interim("Wait a"))).toContain("bot-interrupted");
  });

  it("by a click while words are still awaited holds it until they are here", () => {
    const story = answering();
    story.after(started, ended());
    expect(story.after({ type: "voice-noticed" }, { type: "voice-lost" })).toEqual([]);
    expect(story.after(final("Mhm."))).toContain("resume");
  });

  it("begins no answer before it is known to be one", () => {
    expect(answering().after(started, paused("Okay."))).not.toContain("answer 2: Okay.");
  });

  it("by noise lets it go on", () => {
    expect(answering().after(started, ended(5000), noise)).toContain("resume");
  });

  it("by sounds without words lets it go on after a while, and words stop it still", () => {
    const story = answering();
    story.after(started);
    expect(story.after({ type: "timer", timer: "interruption" })).toEqual(["no interruption", "resume"]);
    expect(story.after(interim("stop it"))).toContain("cancel 1");
  });

  it("before its first sound joins both turns", () => {
    const story = new Story();
    story.after(started, ended(), final("Book a table."), turnOver);
    expect(story.after(started)).toContain("hold");
    expect(story.after(ended(3000), final("For two people.", 3100))).toEqual([
      "user-started-speaking",
      "bot-interrupted",
      "cancel 1",
      "no interruption",
      "resume",
      "interim: For two people.",
      "answer 2: For two people.",
      "turn-over in 300",
    ]);
  });

  it("leaves no trace of sound that comes late from a cancelled reply", () => {
    const story = answering();
    story.after(started, interim("no no"));
    expect(story.after(audible(1), finished(1), { type: "reply-failed", reply: 1, message: "late" })).toEqual([]);
  });
});

describe("a reply", () => {
  it("that fails is told, and the call goes on", () => {
    const story = new Story();
    story.after(started, ended(), final("How are you?"), turnOver);
    expect(story.after({ type: "reply-failed", reply: 1, message: "The model is gone." })).toEqual([
      "error: The model is gone.",
    ]);
    expect(story.after(started)).toEqual(["no turn-over", "user-started-speaking"]);
  });

  it("that fails while it is held frees the caller's turn", () => {
    const story = answering();
    story.after(started);
    expect(story.after({ type: "reply-failed", reply: 1, message: "gone" })).toEqual([
      "error: gone",
      "no interruption",
      "resume",
      "bot-stopped-speaking",
      "user-started-speaking",
    ]);
  });

  it("to written words cuts off what is spoken", () => {
    expect(answering().after({ type: "text-sent", text: "Be brief.", isSpoken: true })).toEqual([
      "cancel 1",
      "bot-stopped-speaking",
      "answer 2: Be brief.",
      "remember: Be brief.",
      "release 2",
    ]);
  });
});

describe("in external mode", () => {
  it("a finished turn is told and nothing is answered", () => {
    const story = new Story("external");
    expect(story.after(started, ended(), final("Where is my order?"), turnOver)).toEqual([
      "no turn-over",
      "user-started-speaking",
      "interim: Where is my order?",
      "turn-over in 200",
      "user-stopped-speaking",
      "final: Where is my order?",
    ]);
  });

  it("texts are spoken one after the other, without a stop between them", () => {
    const story = new Story("external");
    expect(story.after(speak("One."), audible(1), speak("Two."))).toEqual([
      "speak 1: One.",
      "release 1",
      "bot-started-speaking",
      "speak 2: Two.",
      "release 2",
    ]);
    expect(story.after(finished(1), audible(2), finished(2))).toEqual(["bot-stopped-speaking"]);
  });

  it("a filler is replaced by the real answer", () => {
    const story = new Story("external");
    story.after(speak("Let me see."), audible(1));
    expect(story.after(speak("It is on its way.", true))).toEqual([
      "cancel 1",
      "bot-stopped-speaking",
      "speak 2: It is on its way.",
      "release 2",
    ]);
  });

  it("a text waits while the caller speaks, and survives that the caller goes on", () => {
    const story = new Story("external");
    expect(story.after(started, speak("Sure."))).not.toContain("release 1");
    story.after(ended(), final("I have a question."), started);
    expect(story.after(ended(3000), final("About the bill.", 3100), turnOver)).toContain("release 1");
  });

  it("talking over what is spoken drops all that waits", () => {
    const story = new Story("external");
    story.after(speak("One."), audible(1), speak("Two."), started);
    expect(story.after(interim("hold on"))).toEqual(expect.arrayContaining(["cancel 1", "cancel 2"]));
    expect(story.turn.replies).toEqual([]);
  });
});
