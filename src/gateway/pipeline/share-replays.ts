import { deserialize, serialize } from "node:v8";
import { sql } from "drizzle-orm";
import { Problem } from "../../platform/errors.ts";
import { hashSecret, newId } from "../../platform/ids.ts";
import { askBus } from "../../ports/ask-bus.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Queries } from "../../ports/database.ts";
import { type Kept, nameOf, type RepeatableRequest, type Replays } from "./idempotency.ts";

/** Longer than any request runs and any reply is kept. */
const claimMs = 30 * 60_000;
const answerMs = 2000;
const mostTries = 5;
const sweepEveryMs = 600_000;

/** A `part` is `kept` with some of the reply's body, which is `size` bytes long. */
type Answer =
  | { state: "unknown" }
  | { state: "running" }
  | { state: "done"; kept: Kept }
  | { state: "part"; kept: Kept; size: number };

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
    if (replyTo !== undefined) bus.publish(replyTo, serialize(answerTo(Buffer.from(data).toString())));
  });
  const sweeper = setInterval(() => {
    queries.execute(sql`DELETE FROM replay_claims WHERE ends_at < now()`).catch(() => {});
  }, sweepEveryMs);
  sweeper.unref();

  /** A question is an entry's name, and on a second line where in the reply to go on. */
  function answerTo(question: string): Answer {
    const [entry = "", from] = question.split("\n");
    const kept = replays.find(entry);
    if (!kept) return { state: "unknown" };
    if (!kept.reply) return { state: "running" };
    const { body } = kept.reply;
    // The rest is for what stands beside the body.
    const most = Math.floor(bus.mostBytes / 2);
    if (from === undefined && body.length <= most) return { state: "done", kept };
    const at = Number(from ?? 0);
    return { state: "part", kept: withBody(kept, body.subarray(at, at + most)), size: body.length };
  }

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

  async function askOwner(owner: string, question: string): Promise<Answer> {
    const answer = await askBus(bus, subjectOf(owner), Buffer.from(question), answerMs);
    // It is no more, and what it had in memory is gone.
    if (answer === "nobody") return { state: "unknown" };
    return answer === "silence" ? { state: "running" } : (deserialize(answer) as Answer);
  }

  /** A reply that is larger than a message of the bus comes in parts, one question each. */
  async function fetchReply(owner: string, entry: string): Promise<Exclude<Answer, { state: "part" }>> {
    let answer = await askOwner(owner, entry);
    const parts: Buffer[] = [];
    for (let length = 0; answer.state === "part"; answer = await askOwner(owner, `${entry}\n${length}`)) {
      const part = answer.kept.reply!.body;
      parts.push(part);
      length += part.length;
      if (length >= answer.size) return { state: "done", kept: withBody(answer.kept, Buffer.concat(parts)) };
    }
    return answer;
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
        const answer = await fetchReply(owner, entry);
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

function withBody(kept: Kept, body: Buffer): Kept {
  return { ...kept, reply: { ...kept.reply!, body } };
}
