import type { UsageWriter } from "../accounts/usage/usage-writer.ts";
import type { KeyVerifier } from "../accounts/verify-key.ts";
import type { Gateway } from "../gateway/pipeline/gateway.ts";
import type { Clock } from "../platform/clock.ts";
import type { Health } from "../platform/health.ts";
import type { Log } from "../platform/log.ts";
import type { SettingReport } from "../platform/settings/settings.ts";
import type { Bus } from "../ports/bus.ts";
import type { Database } from "../ports/database.ts";
import type { Secrets } from "../ports/secrets.ts";
import type { SpeechEngine } from "../ports/speech-engine.ts";
import type { TranscriptionEngine } from "../ports/transcription-engine.ts";
import type { TranslationEngine } from "../ports/translation-engine.ts";
import type { EngineRow, ModelFiles } from "./contract/admin.ts";
import type { EngineStateRow } from "./contract/catalog.ts";
import type { Start } from "./contract/session.ts";

/** What the dashboard looks at and works with. */
export interface DashboardParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly health: Health;
  readonly usage: UsageWriter;
  /** The way to other servers, and the first word of its subjects. */
  readonly cluster: { readonly bus: Bus; readonly name: string };
  readonly verifier: KeyVerifier;
  readonly secrets: Secrets;
  readonly gateway: Gateway;
  readonly speech: SpeechEngine;
  readonly transcription: TranscriptionEngine;
  readonly translation: TranslationEngine;
  readonly services: Start["installation"]["services"];
  publicUrl(): string;
  engines(): EngineRow[];
  engineStates(): EngineStateRow[];
  models(): ModelFiles[];
  pull(): { isRunning: boolean; current?: { model: string; stage: string; fraction: number }; failure?: string };
  settings(): SettingReport[];
}
