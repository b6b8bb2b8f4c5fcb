/** Silence after a whole sentence until an answer may be heard, counted from the end of the voice. It is prepared from the first
 *  moment of the pause and is ready at about this time (bench/live), so a shorter silence would gain nothing. */
export const FIRST_PATIENCE_MS = 400;
/** For callers who pause for longer between their sentences. Of 28 such pauses inside 56 recordings of people one is longer. */
const mostPatienceMs = 800;
/** Who speaks again so soon after their last word had not finished: an answer is heard after 400 ms at the earliest, and nobody objects to
 *  it within another 400 (a guess); 100 pass until a voice is noticed. */
const goesOnWithinMs = 900;
/** After words that are no sentence, but could be an answer ("Tuesday"). */
const afterWordsMs = 900;
/** After words that ask for more ("and then I"). Pipecat and LiveKit wait for up to 3 s; a guess between. */
const afterUnfinishedMs = 1800;

/** From here on a detector means that the turn is over (smart-turn's own threshold). */
const overFrom = 0.5;

/** How long a caller who said this must be silent until it is somebody else's turn: after a sentence for as long as this caller needs.
 *  Where a detector told by the sound whether they have finished, it decides; else the words do. */
export function silenceThatEnds(heard: string, patienceMs: number, endsTurn?: number): number {
  if (endsTurn !== undefined) return endsTurn >= overFrom ? FIRST_PATIENCE_MS : afterUnfinishedMs;
  const text = heard.trim();
  if (isUnfinished(text)) return afterUnfinishedMs;
  return /[.!?。।？؟]["'”»)]*$/u.test(text) ? patienceMs : afterWordsMs;
}

/** How long to wait for a caller who went on after a pause, measured from their last word until their next one was noticed. Starting
 *  at 400 ms, 4 of those 28 pauses are talked over; with 640 ms for everybody it would be 5, and with 400 ms 9 (bench/live/pauses). */
export function learnPatience(patienceMs: number, pausedMs: number): number {
  return pausedMs > goesOnWithinMs ? patienceMs : Math.max(patienceMs, Math.min(mostPatienceMs, Math.round(pausedMs)));
}

/** Recognisers put a full stop behind everything, so the last word tells more than the mark after it. */
function isUnfinished(text: string): boolean {
  if (/(,|;|:|-|–|—|\.\.\.|…)["'”»)]*$/u.test(text)) return true;
  const last = /([\p{L}\p{M}']+)[^\p{L}\p{M}]*$/u.exec(text)?.[1]?.toLowerCase();
  return last !== undefined && leadsOn.has(last) && !/\?["'”»)]*$/u.test(text);
}

/** Words after which a sentence goes on: conjunctions, articles, prepositions that English does not end with, fillers. */
const leadsOn = new Set(
  [
    "a an the and but or because so if when while although since unless than that which whose",
    "my your his her our their its very of from with for into um uh er hmm erm i'm i've we're they're",
    "y pero o porque si cuando aunque que el la los las un una unos unas de del con para por mi tu su muy eh",
    "und aber oder weil wenn dass der die das den dem ein eine einen von mit für zu mein dein sein ihr sehr äh ähm",
    "et mais ou parce que quand si le la les un une des du de avec pour mon ton son très euh",
    "e ma o perché se quando che il lo la i gli le un una di del con per mio tuo suo molto ehm",
    "mas ou porque quando os as um uma do da com meu teu seu muito é",
  ].flatMap((words) => words.split(" ")),
);
