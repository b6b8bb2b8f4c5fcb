import type { UsageDetails } from "../../accounts/usage/record.ts";
import type { Hold } from "../../credits/books.ts";
import { type Atto, addMarkup, formatDollars, type Pico, toPicos } from "../../credits/money.ts";
import type { Ending } from "../../credits/parked-hold.ts";
import type { Log } from "../../platform/log.ts";
import type { Counts } from "../measures/measures.ts";
import { type CostSource, costOfTokens, type Price } from "./cost.ts";
import type { Prices } from "./prices.ts";
import { mergeReadings, mostTokens, type Reading, tellsTokens } from "./read-usage.ts";
import type { RequestFigures } from "./request-groups.ts";
import { kindOf, type Metered } from "./request-kinds.ts";

export interface MeterParts {
  books: Ending;
  hold: Hold;
  log: Log;
  about: Metered;
  /** The usage record of the request, to which the tokens are added. */
  usage: UsageDetails;
}

/** Follows one request and settles its hold, once. */
export class Meter {
  readonly hold: Hold;
  readonly #parts: MeterParts;
  #about: Metered;
  #reading: Reading | undefined;
  #prices: Prices | undefined;
  #isReasoningExtra = false;
  #isOver = false;
  /** What was taken from the balance, and owed beyond it. */
  charged: Pico | undefined;
  /** Of the upstream and model that serve it. */
  counts: Counts | undefined;
  /** The upstream's counts make no sense: what they come to is a guess. */
  #isAbsurd = false;
  /** Hears once what the request was charged: for whoever else keeps count. */
  onEnd: ((charged: Pico) => void) | undefined;

  constructor(parts: MeterParts) {
    this.#parts = parts;
    this.#about = parts.about;
    this.hold = parts.hold;
  }

  get about(): Metered {
    return this.#about;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get reading(): Reading | undefined {
    return this.#reading;
  }

  /** Which upstream took the request in the end, at which prices. */
  servedBy(upstream: string, prices: Prices | undefined, isReasoningExtra: boolean, model = this.#about.model): void {
    if (upstream !== this.#about.upstream) this.#about = { ...this.#about, upstream };
    if (model !== this.#about.model) this.#about = { ...this.#about, model, provider: providerOf(model) };
    this.#prices = prices;
    this.#isReasoningExtra = isReasoningExtra;
  }

  get prices(): Prices | undefined {
    return this.#prices;
  }

  observe(reading: Reading): void {
    this.#reading = mergeReadings(this.#reading, reading);
    if (!this.#isAbsurd && (reading.inputTokens >= mostTokens || reading.outputTokens >= mostTokens)) {
      this.#isAbsurd = true;
      this.#parts.log.warn(
        { ...this.#about, request: this.hold.id },
        "an upstream reported more tokens than any model has",
      );
    }
    const { usage } = this.#parts;
    // The usage records' columns are 32 bits wide.
    usage.inputTokens = Math.min(this.#reading.inputTokens, 2 ** 31 - 1);
    usage.outputTokens = Math.min(this.#reading.outputTokens, 2 ** 31 - 1);
    usage.cachedTokens = Math.min(this.#reading.cachedTokens, 2 ** 31 - 1);
  }

  /** The upstream's reply was worthless: what it said about usage counts for nothing. */
  forget(): void {
    this.#reading = undefined;
    this.#isAbsurd = false;
  }

  /** The upstream's name for the request, by which its cost can be asked for later. */
  remark(reference: string): void {
    this.#parts.books.remark(this.hold, reference, this.#about);
  }

  /** What the readings come to so far; undefined when neither a cost nor a price is known. */
  cost(): Price | undefined {
    const reading = this.#reading;
    if (reading?.cost !== undefined) return { cost: reading.cost, source: "reported" };
    if (!reading || !this.#prices || !tellsTokens(reading)) return undefined;
    const cost = costOfTokens(reading, this.#prices, this.#isReasoningExtra);
    return cost === undefined ? undefined : { cost, source: "tokens" };
  }

  /** What the customer pays for `cost`: all of it where the upstream told what it took, and never more than was held where we
   *  guessed. */
  chargeFor(cost: Atto, source: CostSource): Pico {
    const { hold } = this.#parts;
    const charge = addMarkup(cost);
    const isGuess = guessed.has(source) || (source === "tokens" && this.#isAbsurd);
    return isGuess && charge > hold.amount ? hold.amount : charge;
  }

  settle(cost: Atto, source: CostSource): void {
    if (this.#isOver) return;
    const { books, hold, log } = this.#parts;
    const about = this.#about;
    const charge = this.chargeFor(cost, source);
    this.#isOver = true;
    const figures: RequestFigures = [this.#reading?.inputTokens ?? 0, this.#reading?.outputTokens ?? 0, toPicos(cost)];
    this.charged = charge;
    this.#count(figures, charge);
    this.onEnd?.(charge);
    const taken = books.settle(hold, charge, { about: kindOf(about, source), figures });
    if (addMarkup(cost) === taken) return;
    const amounts = {
      cost: formatDollars(toPicos(cost)),
      charged: formatDollars(taken),
      owed: formatDollars(charge - taken),
    };
    log.error({ ...about, ...amounts, request: hold.id }, "a request cost more than could be charged");
  }

  #count([input, output]: RequestFigures, charge: Pico): void {
    const { counts } = this;
    if (!counts) return;
    counts.requests += 1;
    counts.inputTokens += input;
    counts.outputTokens += output;
    counts.charged += charge;
  }

  /** Another server may go on with it. Returns what to call once it is known how it ended there. */
  handOver(): () => void {
    this.#isOver = true;
    return () => this.onEnd?.(0n);
  }

  /** Nothing was produced: nothing is charged and nothing is on record. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd?.(0n);
    this.#parts.books.release(this.hold);
  }
}

/** The part of a model's id that names its provider. */
export function providerOf(model: string): string {
  const slash = model.indexOf("/");
  return slash > 0 ? model.slice(0, slash) : "";
}

const guessed: ReadonlySet<CostSource> = new Set(["estimated", "hold"]);
