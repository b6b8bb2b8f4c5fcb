import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { StopSignal } from "../upstreams/live-reply.ts";

/** Tells when the client hangs up before its reply is complete. */
export class HangUp implements StopSignal {
  aborted = false;
  reason: unknown;
  #listeners: (() => void)[] = [];

  constructor(response: FastifyRequest["response"]) {
    const onClose = () => {
      if (response.writableFinished) return;
      this.aborted = true;
      this.reason = new Problem("request_timeout", "The caller hung up.");
      for (const tell of this.#listeners) tell();
    };
    if (response.destroyed) onClose();
    else response.once("close", onClose);
  }

  addEventListener(_type: "abort", tell: () => void): void {
    this.#listeners.push(tell);
  }

  removeEventListener(_type: "abort", tell: () => void): void {
    if (this.#listeners.at(-1) === tell) this.#listeners.pop();
    else this.#listeners = this.#listeners.filter((one) => one !== tell);
  }
}

/** Never stops: for upstreams that bill on when the client is gone, and must be heard to the end. */
export const patient: StopSignal = {
  aborted: false,
  reason: undefined,
  addEventListener() {},
  removeEventListener() {},
};
