import { deserialize, serialize } from "node:v8";
import { sql } from "drizzle-orm";
import { Problem } from "../../platform/errors.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import { askBus } from "../../ports/ask-bus.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Queries } from "../../ports/database.ts";
import { type Kept, nameOf, type RepeatableRequest, type Replays } from "./replays.ts";

/** Longer than any request runs and any reply is kept. */
const claimMs = 30 * 60_000;
const answerMs = 2000;
const mostTries = 5;
const sweepEveryMs = 600_000;

type Answer = { state: "unknown" } | { state: "running" } | { state: "done"; kept: Kept };

export interface SharedReplays {
  /** To be awaited before a request with an Idempotency-Key begins: afterwards this server may run it, or has the reply that
   *  another one has given. Throws `conflict` while another one runs it. */
  prepare(request: RepeatableRequest): Promise<void>;
  close(): void;
}

/** Makes an Idempotency-Key mean the same on every server. Who has begun a request is in the database; its reply stays in the
 *  memory of the server that gave it, and others ask for it over the bus. */
export function shareReplays(parts: { replays: Replays; queries: Queries; bus: Bus; name: string }): SharedReplays {
  const { replays, queries, bus, name } = parts;
  const own = newId("", 12);
  const subjectOf = (owner: string) => `${name}.replays.${owner}`;
  const questions = bus.subscribe(subjectOf(own), ({ data, replyTo }) => {
    if (replyTo === undefined) return;
    const kept = replays.find(Buffer.from(data).toString());
    const answer: Answer = !kept ? { state: "unknown" } : kept.reply ? { state: "done", kept } : { state: "running" };
    bus.publish(replyTo, serialize(answer));
  });
  const sweeper = setInterval(() => {
    queries.execute(sql`DELETE FROM replay_claims WHERE ends_at < now()`).catch(() => {});
  }, sweepEveryMs);
  sweeper.unref();

  /** Who may run it now: this server, or the one that has it. Takes over from `lost`. */
  async function claim(hash: string, lost: string): Promise<string> {
    const { rows } = await queries.execute<{ owner: string }>(sql`
      INSERT INTO replay_claims AS c (name, owner, ends_at)
      VALUES (${hash}, ${own}, now() + ${claimMs} * interval '1 millisecond')
      ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, ends_at = excluded.ends_at
      WHERE c.owner IN (${own}, ${lost}) OR c.ends_at < now()
      RETURNING owner`);
    if (rows[0]) return own;
    const { rows: others } = await queries.execute<{ owner: string }>(
      sql`SELECT owner FROM replay_claims WHERE name = ${hash}`,
    );
    return others[0]?.owner ?? lost;
  }

  async function askOwner(owner: string, entry: string): Promise<Answer> {
    const answer = await askBus(bus, subjectOf(owner), Buffer.from(entry), answerMs);
    // It is no more, and what it had in memory is gone.
    if (answer === "nobody") return { state: "unknown" };
    return answer === "silence" ? { state: "running" } : (deserialize(answer) as Answer);
  }

  return {
    async prepare(request) {
      const entry = nameOf(request);
      if (entry === undefined) return;
      const hash = hashSecret(entry);
      let lost = "";
      for (let tries = 0; tries < mostTries; tries++) {
        const owner = await claim(hash, lost);
        if (owner === own) return;
        const answer = await askOwner(owner, entry);
        if (answer.state === "done") return replays.adopt(entry, answer.kept);
        if (answer.state === "running") break;
        lost = owner;
      }
      throw new Problem("conflict", "A request with this Idempotency-Key is still running.", { retryAfterSeconds: 1 });
    },
    close() {
      clearInterval(sweeper);
      questions.stop();
    },
  };
}
