import { combineManners, type Manner, PLAIN, weigh } from "./manner.ts";

/** What words of a style description do to a voice. English, because that is what such descriptions are written in. */
const EFFECTS: readonly (readonly [RegExp, Partial<Manner>])[] = [
  [/slow(?:ly|er)?|unhurried|leisurely|patient(?:ly)?|deliberate(?:ly)?/, { rate: 0.85, pauses: 1.2 }],
  [/fast(?:er)?|quick(?:ly|er)?|rapid(?:ly)?|brisk(?:ly)?|hurried(?:ly)?/, { rate: 1.17, pauses: 0.8 }],
  [/loud(?:ly|er)?|shout(?:s|ing)?|powerful(?:ly)?|booming/, { energyDecibels: 3 }],
  [/quiet(?:ly|er)?|soft(?:ly|er)?|gentl[ey]|hushed|whisper(?:s|ed|ing|y)?/, { energyDecibels: -4, range: 0.9 }],
  [/deep(?:er)?|low(?:er)?(?:[- ]pitched)?|bass/, { pitchSemitones: -2.2 }],
  [/high(?:er)?(?:[- ]pitched)?|bright(?:ly|er)?|squeaky/, { pitchSemitones: 2.2 }],
  [/monotone|monotonous|flat|robotic|dry|deadpan|even/, { range: 0.55 }],
  [/expressive|lively|animated|dramatic(?:ally)?|melodic|sing-?song|theatrical/, { range: 1.5 }],
  [
    /energetic|enthusiastic(?:ally)?|excited|upbeat|vivid/,
    { rate: 1.08, pitchSemitones: 1, range: 1.3, energyDecibels: 2 },
  ],
  [
    /cheerful(?:ly)?|happy|happily|joyful(?:ly)?|playful(?:ly)?|smiling/,
    { rate: 1.05, pitchSemitones: 1.4, range: 1.3 },
  ],
  [
    /calm(?:ly|ing)?|soothing|relaxed|serene|peaceful(?:ly)?/,
    { rate: 0.9, pitchSemitones: -0.8, range: 0.8, energyDecibels: -1.5, pauses: 1.3 },
  ],
  [/warm(?:ly|th)?|tender(?:ly)?|caring/, { rate: 0.96, pitchSemitones: -0.7, pauses: 1.1 }],
  [
    /serious(?:ly)?|solemn(?:ly)?|grave(?:ly)?|formal(?:ly)?|stern(?:ly)?/,
    { rate: 0.94, pitchSemitones: -1.2, range: 0.8 },
  ],
  [
    /sad(?:ly|ness)?|melanchol(?:y|ic)|sorrowful(?:ly)?|tired|weary/,
    { rate: 0.86, pitchSemitones: -1.4, range: 0.7, energyDecibels: -2, pauses: 1.3 },
  ],
  [/angry|angrily|furious(?:ly)?|irritated/, { rate: 1.08, pitchSemitones: 0.8, range: 1.3, energyDecibels: 3 }],
  [/confident(?:ly)?|assertive(?:ly)?|firm(?:ly)?|authoritative/, { pitchSemitones: -0.8, energyDecibels: 1.5 }],
  [/urgent(?:ly)?|hectic/, { rate: 1.18, energyDecibels: 2, pauses: 0.6 }],
  [/pauses?|pausing/, { pauses: 1.6 }],
];

const ANY = new RegExp(`\\b(?:${EFFECTS.map(([pattern]) => `(${pattern.source})`).join("|")})\\b`, "gi");
/** Judged by the few words before: "very slowly" is more than "slowly", and "never shout" is not "shout". */
const NEGATED = /\b(?:not|never|no|don'?t|doesn'?t|without|avoid|less|isn'?t|hardly)\b[^.,;:!?]{0,24}$/i;
const STRONGER = /\b(?:very|really|extremely|much|so|quite)\s+$/i;
const WEAKER = /\b(?:slightly|somewhat|bit|little|touch)\s+(?:more\s+)?$/i;
const LOOK_BACK = 40;

/** What a description like "slowly, with a deep and calm voice" asks of a voice. Words that mean nothing to it are left to the
 *  chat model. Each effect counts once. */
export function readStyle(style: string): Manner {
  const seen = new Map<number, Manner>();
  for (const match of style.matchAll(ANY)) {
    const index = match.slice(1).findIndex((group) => group !== undefined);
    const before = style.slice(Math.max(0, match.index - LOOK_BACK), match.index);
    if (seen.has(index) || NEGATED.test(before)) continue;
    const strength = STRONGER.test(before) ? 1.5 : WEAKER.test(before) ? 0.5 : 1;
    seen.set(index, weigh({ ...PLAIN, ...EFFECTS[index]![1] }, strength));
  }
  return combineManners([...seen.values()]);
}
