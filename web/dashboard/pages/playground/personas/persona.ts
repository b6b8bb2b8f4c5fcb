export interface Persona {
  id: string;
  name: string;
  kind: "engine_a" | "clone";
  baseVoice: string | null;
  tonePreset: string | null;
  styleText: string | null;
  language: string;
  status: "processing" | "ready" | "failed";
  statusReason?: string;
  match?: "voice" | "nearest";
}

/** As in docs/personas.md; the server refuses any other with the list of those it has. */
export const tones = [
  "neutral",
  "warm",
  "friendly",
  "cheerful",
  "excited",
  "calm",
  "serious",
  "professional",
  "confident",
  "sad",
  "soft",
  "storytelling",
  "urgent",
] as const;

const degrees = [
  [-2, "very "],
  [-1, "a bit "],
  [1, "a bit "],
  [2, "very "],
] as const;

/** Positions of the sliders, -2 to 2, in words that the server reads out of a style. */
export function styleOf({ pace, pitch, volume }: { pace: number; pitch: number; volume: number }): string {
  const word = (value: number, low: string, high: string) => {
    const degree = degrees.find(([at]) => at === value);
    return degree ? [`${degree[1]}${value < 0 ? low : high}`] : [];
  };
  return [...word(pace, "slow", "fast"), ...word(pitch, "deep", "high-pitched"), ...word(volume, "quiet", "loud")].join(
    ", ",
  );
}
