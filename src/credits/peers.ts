import { askBus } from "../ports/ask-bus.ts";
import type { Bus } from "../ports/bus.ts";
import type { Pico } from "./money.ts";

/** Longer than a giving back takes; whoever waits is about to be refused. A guess. */
const answerMs = 700;

export interface Given {
  /** Back to the balance. */
  readonly given: Pico;
  /** Spent, and not in the database yet. */
  readonly unwritten: Pico;
}

/** The other servers on the same database. */
export interface Peers {
  /** Asks each of these runs for what it does not hold of a workspace, until all have answered; who does not has given nothing. */
  ask(owners: readonly string[], workspaceId: string): Promise<Given>;
  close(): void;
}

/** `giveBack` answers what others ask of this run. */
export function meetPeers(
  { bus, name }: { bus: Bus; name: string },
  owner: string,
  giveBack: (workspaceId: string) => Promise<Given>,
): Peers {
  const subjectOf = (run: string) => `${name}.credits.${run}`;
  const questions = bus.subscribe(subjectOf(owner), ({ data, replyTo }) => {
    if (replyTo === undefined) return;
    giveBack(Buffer.from(data).toString())
      .then(({ given, unwritten }) => bus.publish(replyTo, Buffer.from(`${given} ${unwritten}`)))
      // Silence is an answer too.
      .catch(() => {});
  });

  async function askOne(run: string, workspaceId: string): Promise<Given> {
    const answer = await askBus(bus, subjectOf(run), Buffer.from(workspaceId), answerMs);
    const [, given = "0", unwritten = "0"] =
      typeof answer === "string" ? [] : (/^(\d{1,18}) (\d{1,18})$/.exec(Buffer.from(answer).toString()) ?? []);
    return { given: BigInt(given), unwritten: BigInt(unwritten) };
  }

  return {
    async ask(owners, workspaceId) {
      const answers = await Promise.all(owners.map((run) => askOne(run, workspaceId)));
      return {
        given: answers.reduce((sum, { given }) => sum + given, 0n),
        unwritten: answers.reduce((sum, { unwritten }) => sum + unwritten, 0n),
      };
    },
    close: () => questions.stop(),
  };
}
