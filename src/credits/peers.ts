import { askBus } from "../ports/ask-bus.ts";
import type { Bus } from "../ports/bus.ts";
import type { Pico } from "./money.ts";

/** Longer than a giving back takes; whoever waits is about to be refused. A guess. */
const answerMs = 700;

/** The other servers on the same database. */
export interface Peers {
  /** Asks each of these runs for what it does not hold of a workspace, and waits until all have answered, or long enough. Returns
   *  what they have spent and not yet written. */
  ask(owners: readonly string[], workspaceId: string): Promise<Pico>;
  close(): void;
}

/** `giveBack` answers what others ask of this run. */
export function meetPeers(
  { bus, name }: { bus: Bus; name: string },
  owner: string,
  giveBack: (workspaceId: string) => Promise<Pico>,
): Peers {
  const subjectOf = (run: string) => `${name}.credits.${run}`;
  const questions = bus.subscribe(subjectOf(owner), ({ data, replyTo }) => {
    if (replyTo === undefined) return;
    giveBack(Buffer.from(data).toString())
      .then((unwritten) => bus.publish(replyTo, Buffer.from(unwritten.toString())))
      // Silence is an answer too.
      .catch(() => {});
  });

  async function askOne(run: string, workspaceId: string): Promise<Pico> {
    const answer = await askBus(bus, subjectOf(run), Buffer.from(workspaceId), answerMs);
    const text = typeof answer === "string" ? "" : Buffer.from(answer).toString();
    return /^\d{1,18}$/.test(text) ? BigInt(text) : 0n;
  }

  return {
    async ask(owners, workspaceId) {
      const answers = await Promise.all(owners.map((run) => askOne(run, workspaceId)));
      return answers.reduce((sum, unwritten) => sum + unwritten, 0n);
    },
    close: () => questions.stop(),
  };
}
