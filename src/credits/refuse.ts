import { Problem } from "../platform/errors.ts";
import { formatDollars, type Pico } from "./money.ts";

/** After so long something that runs has probably ended. A guess. */
export const retryAfterSeconds = 2;

/** Says how much there would be for a smaller request. */
export class InsufficientCredits extends Problem {
  readonly available: Pico;

  constructor(message: string, available: Pico, retryAfter?: number) {
    super("insufficient_credits", message, retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter });
    this.available = available;
  }
}

export function owes(owed: Pico): Problem {
  return new Problem(
    "insufficient_credits",
    `Earlier requests cost $${formatDollars(owed)} more than the credit balance had. Add credits to go on.`,
  );
}

/** What a workspace has, when that was not enough. */
export interface Situation {
  /** But for what was spent a moment ago. */
  readonly balance: Pico;
  /** Of it, for a request of this server now. */
  readonly available: Pico;
  /** Of it, by running requests of this server. */
  readonly held: Pico;
}

/** Waiting helps when the balance has enough and running requests hold it. */
export function refuse(least: Pico, { balance, available, held }: Situation): InsufficientCredits {
  if (balance <= 0n) return new InsufficientCredits("The credit balance is zero. Add credits to go on.", 0n);
  const reserved = balance - available;
  const elsewhere = reserved - held;
  const where = elsewhere > 0n ? `, $${formatDollars(elsewhere)} of it elsewhere` : "";
  const running = reserved > 0n ? `, of which requests still running reserve $${formatDollars(reserved)}${where}` : "";
  const message = `This request may cost up to $${formatDollars(least)}, the credit balance is $${formatDollars(balance)}${running}.`;
  return new InsufficientCredits(message, available, least <= balance ? retryAfterSeconds : undefined);
}
