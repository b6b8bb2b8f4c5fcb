import { z } from "zod";

/** How a call was asked for. It travels with the token, so that any node can open the call. */
export const callSettings = z.object({
  mode: z.enum(["assistant", "external"]),
  voice: z.string(),
  language: z.string(),
  /** Looked up anew when the call is opened: what a persona holds is not for the table of tokens. */
  personaId: z.string().optional(),
  hearingLanguage: z.string().optional(),
  tonePreset: z.string().optional(),
  styleText: z.string().optional(),
  temperature: z.number().optional(),
});

type Parsed = z.infer<typeof callSettings>;

export type CallSettings = {
  readonly [Field in "mode" | "voice" | "language"]: Parsed[Field];
} & { readonly [Field in Exclude<keyof Parsed, "mode" | "voice" | "language">]: Parsed[Field] | undefined };
