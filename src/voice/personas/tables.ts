import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { SpeechFamily } from "../../ports/speech-engine.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const personas = pgTable("personas", {
  id: text("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  name: text("name").notNull(),
  engine: text("engine").$type<SpeechFamily>().notNull(),
  kind: text("kind").$type<"engine_a" | "clone">().notNull(),
  baseVoice: text("base_voice"),
  language: text("language").notNull(),
  tonePreset: text("tone_preset"),
  styleText: text("style_text"),
  status: text("status").$type<"processing" | "ready" | "failed">().notNull(),
  statusReason: text("status_reason"),
  durationMs: integer("duration_ms"),
  refTextReason: text("ref_text_reason"),
  consentBy: text("consent_by"),
  consentAt: moment("consent_at"),
  /** Sealed with the persona's own key, in base64. */
  sealedClip: text("sealed_clip"),
  sealedVoice: text("sealed_voice"),
  sealedRefText: text("sealed_ref_text"),
  createdAt: moment("created_at").notNull(),
  lastUsedAt: moment("last_used_at"),
});
