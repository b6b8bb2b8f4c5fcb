import type { Pico } from "../../credits/money.ts";
import { Pace } from "./pace.ts";

/** What an upstream did for one model since the start. */
export interface Counts {
  readonly upstream: string;
  readonly model: string;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  charged: Pico;
  /** Replies that began, how long their heads took, and how long until there was anything in them. */
  answers: number;
  headMs: number;
  contents: number;
  contentMs: number;
  /** Requests that went on to the next upstream. */
  fallOvers: number;
  /** Of streams: how long their heads and their first words usually take. */
  readonly firstByte: Pace;
  readonly firstToken: Pace;
}

/** Names of models come from outside; those beyond share one line. */
const mostModels = 500;
const others = "other";

export class Measures {
  /** By upstream, then by model. */
  readonly #counts = new Map<string, Map<string, Counts>>();
  readonly #all: Counts[] = [];

  of(upstream: string, model: string): Counts {
    return this.#counts.get(upstream)?.get(model) ?? this.#add(upstream, model);
  }

  all(): Iterable<Counts> {
    return this.#all;
  }

  #add(upstream: string, wanted: string): Counts {
    const model = this.#all.length < mostModels ? wanted : others;
    let ofUpstream = this.#counts.get(upstream);
    if (!ofUpstream) {
      ofUpstream = new Map();
      this.#counts.set(upstream, ofUpstream);
    }
    const known = ofUpstream.get(model);
    if (known) return known;
    const counts: Counts = {
      upstream,
      model,
      requests: 0,
      inputTokens: 0,
      outputTokens: 0,
      charged: 0n,
      answers: 0,
      headMs: 0,
      contents: 0,
      contentMs: 0,
      fallOvers: 0,
      firstByte: new Pace(),
      firstToken: new Pace(),
    };
    ofUpstream.set(model, counts);
    this.#all.push(counts);
    return counts;
  }
}
