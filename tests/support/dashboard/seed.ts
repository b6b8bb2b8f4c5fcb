import { createKey } from "../../../src/accounts/keys/create-key.ts";
import { allScopes } from "../../../src/accounts/scopes.ts";
import { createUsageWriter } from "../../../src/accounts/usage/usage-writer.ts";
import { listWorkspaces } from "../../../src/accounts/workspaces.ts";
import { welcomeFirstStart } from "../../../src/main/first-start.ts";
import { openDatabase } from "../../../src/main/infrastructure.ts";
import { createHealth } from "../../../src/platform/health.ts";
import { silentLog } from "../../../src/platform/log.ts";
import type { Settings } from "../../../src/platform/settings/settings.ts";

const dayMs = 86_400_000;

const habits = [
  { key: 0, service: "voice", route: "/v1/speech", voice: "af_heart", language: "en-us", audioMs: 4200, ms: 640 },
  { key: 0, service: "voice", route: "/v1/transcribe", language: "en-us", audioMs: 9800, ms: 1350 },
  { key: 2, service: "voice", route: "/v1/translate", language: "es", ms: 90 },
  { key: 1, service: "gateway", route: "/gateway/v1/chat/completions", model: "local/tinyllama-1.1b-chat", ms: 2100 },
  { key: 1, service: "extraction", route: "/extraction/v1/extract", ms: 820 },
];

/** A month of a small company's requests, before the server starts: the same every time. */
export async function seedUsage(settings: Settings): Promise<void> {
  const { database, close } = await openDatabase(settings, silentLog, async () => undefined);
  const { queries } = database;
  await welcomeFirstStart(queries);
  const [workspace] = await listWorkspaces(queries);
  const names = ["website", "back office", "phone line"];
  const keys = [];
  for (const name of names) {
    keys.push((await createKey(queries, { workspaceId: workspace!.id, name, scopes: [...allScopes] })).id);
  }
  const usage = await createUsageWriter(queries, settings.storage.dataDir, silentLog, createHealth(silentLog));
  const random = generator(20);
  for (let day = 29; day >= 0; day--) {
    const isWeekend = [0, 6].includes(new Date(Date.now() - day * dayMs).getUTCDay());
    const requests = Math.round((isWeekend ? 18 : 60) * (0.6 + random()) * (1 + (30 - day) / 40));
    for (let sent = 0; sent < requests; sent++) {
      const { key, ms, ...habit } = habits[Math.floor(random() ** 1.4 * habits.length)]!;
      const tokens = habit.model
        ? { inputTokens: 40 + Math.round(random() * 200), outputTokens: Math.round(random() * 300) }
        : {};
      const status = random() > 0.03 ? 200 : random() > 0.5 ? 429 : 502;
      const durationMs = Math.round(ms * (0.5 + random() ** 3 * 3));
      const at = Math.round(Math.min(Date.now() - 60_000, Date.now() - day * dayMs - random() * dayMs * 0.4));
      usage.write({ workspaceId: workspace!.id, keyId: keys[key]!, status, at, durationMs, ...habit, ...tokens });
    }
  }
  await usage.close();
  await close();
}

/** The same figures every time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
