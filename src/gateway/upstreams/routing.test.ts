import { beforeEach, describe, expect, it } from "vitest";
import { Problem, type ProblemKind } from "../../platform/errors.ts";
import { SilentError, UnreachableError, type UpstreamClient } from "../../ports/model-upstream.ts";
import { Routing, type Target } from "./routing.ts";
import { createUpstream } from "./upstream.ts";

let now: number;
let requests: number;
beforeEach(() => {
  now = 1_000_000;
  requests = 0;
});
const clock = { now: () => now };
const client: UpstreamClient = { origin: "http://x.example", ask: () => Promise.reject(), async close() {} };

function upstream(model = "a/b"): Target {
  const address = { name: "x", title: "x", url: "http://x.example/v1", key: "k", kind: "openai" } as const;
  return { upstream: createUpstream(address, client, clock), model };
}

const problem = (kind: ProblemKind, retryAfterSeconds?: number, cause?: unknown) =>
  new Problem(kind, `its words about ${kind}`, { ...(retryAfterSeconds && { retryAfterSeconds }), cause });
const refused = { problem: problem("upstream_failed", undefined, new UnreachableError("refused")), tookMs: 1 };
const reset = { problem: problem("upstream_failed", undefined, new Error("reset")), tookMs: 1 };
const answered = (status: number, kind: ProblemKind, retryAfterSeconds?: number) => ({
  problem: problem(kind, retryAfterSeconds),
  status,
  tookMs: 1,
});
const failed500 = answered(500, "upstream_failed");
type Outcome = Parameters<Routing<Target>["failed"]>[1] | "served" | "dropped";

/** Whom a request asks, where each answers with its outcomes one after another and then with the last for ever. */
function ask(targets: Target[], outcomes: Outcome[][], tenant = "ws_1"): { asked: number[]; error?: Problem } {
  requests += 1;
  const routing = new Routing(targets, { requestId: `req_${requests}`, tenant });
  const asked: number[] = [];
  try {
    for (;;) {
      const { target, waitMs } = routing.next();
      now += waitMs;
      const at = targets.indexOf(target);
      const times = asked.filter((one) => one === at).length;
      const outcome = outcomes[at]![Math.min(times, outcomes[at]!.length - 1)]!;
      asked.push(at);
      if (outcome === "served") {
        routing.succeeded(target);
        return { asked };
      }
      if (outcome === "dropped") routing.dropped(target);
      else routing.failed(target, outcome);
    }
  } catch (error) {
    return { asked, error: error as Problem };
  }
}

describe("asking upstreams", () => {
  it("ends with the first that serves the request", () => {
    expect(ask([upstream(), upstream()], [["served"], ["served"]]).asked).toEqual([0]);
  });

  it("tries one that fails twice, and then the next", () => {
    for (const failure of [refused, reset, failed500]) {
      expect(ask([upstream(), upstream()], [[failure], ["served"]]).asked).toEqual([0, 0, 1]);
    }
    expect(ask([upstream()], [[refused, "served"]]).asked).toEqual([0, 0]);
  });

  it("does not wait for one that is limited while another is free, and asks it last until it is free again", () => {
    const targets = [upstream(), upstream()];
    const limited = answered(429, "rate_limited", 1);
    expect(ask(targets, [[limited], ["served"]]).asked).toEqual([0, 1]);
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([1]);
    now += 1_000;
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([0]);
  });

  it("comes back to one that is limited for a moment when nobody else can serve it", () => {
    const limited = answered(429, "rate_limited", 1);
    const other = answered(401, "gateway_unavailable");
    expect(ask([upstream(), upstream()], [[limited, "served"], [other]]).asked).toEqual([0, 1, 0]);
    const { asked, error } = ask([upstream(), upstream()], [[limited], [other]]);
    expect([asked, error!.kind]).toEqual([[0, 1, 0], "rate_limited"]);
    const long = answered(429, "rate_limited", 60);
    expect(ask([upstream(), upstream()], [[long], [other]]).asked).toEqual([0, 1]);
  });

  it("does not run a request twice whose upstream took it and fell silent", () => {
    const silent = { problem: problem("upstream_failed", undefined, new SilentError("silent")), tookMs: 1 };
    const { asked, error } = ask([upstream(), upstream()], [[silent], ["served"]]);
    expect([asked, error]).toEqual([[0], silent.problem]);
  });

  it("does not send a request again to one that was at work on it for long, or was given up", () => {
    expect(ask([upstream(), upstream()], [[{ ...reset, tookMs: 30_000 }], ["served"]]).asked).toEqual([0, 1]);
    expect(ask([upstream(), upstream()], [[{ ...reset, isGivenUp: true }], ["served"]]).asked).toEqual([0, 1]);
  });

  it("goes on to the next when a success turns out to be none, without asking the first again", () => {
    const empty = { ...answered(200, "upstream_failed"), wasSuccess: true };
    expect(ask([upstream(), upstream()], [[empty], ["served"]]).asked).toEqual([0, 1]);
  });

  it("asks for another model whatever the first one says, and no other upstream for the same one", () => {
    const kinds = [
      "invalid_request",
      "too_large",
      "unsupported_media_type",
      "unprocessable_audio",
      "conflict",
    ] as const;
    for (const kind of [...kinds, "legally_unavailable" as const]) {
      for (const outcome of [answered(400, kind), { ...answered(200, kind), wasSuccess: true }]) {
        const targets = [upstream(), upstream(), upstream("a/c")];
        expect(ask(targets, [[outcome], ["served"], ["served"]]).asked).toEqual([0, 2]);
        expect(ask(targets.slice(0, 2), [[outcome], ["served"]])).toEqual({ asked: [0], error: outcome.problem });
      }
    }
  });

  it("tells what is wrong with the request when no model takes it, rather than that one is unknown", () => {
    const wrong = answered(400, "invalid_request");
    for (const [one, other] of [
      [wrong, answered(404, "model_not_found")],
      [answered(404, "model_not_found"), wrong],
      [wrong, answered(401, "gateway_unavailable")],
    ] as const) {
      expect(ask([upstream(), upstream("a/c")], [[one], [other]]).error).toBe(wrong.problem);
    }
  });

  it("goes on at once from one whose account is not in order, or that has no such model", () => {
    for (const kind of ["gateway_unavailable", "model_not_found"] as const) {
      expect(ask([upstream(), upstream()], [[answered(401, kind)], ["served"]]).asked).toEqual([0, 1]);
    }
  });

  it("tells the nearest failure when all have failed, and that nobody offers it when none does", () => {
    const limited = answered(429, "rate_limited", 60);
    expect(ask([upstream(), upstream()], [[failed500], [limited]]).error).toBe(limited.problem);
    expect(ask([], []).error).toMatchObject({ kind: "service_unavailable" });
  });
});

describe("the circuit breaker", () => {
  const fail = (targets: Target[], times: number, tenant?: string) => {
    for (let time = 0; time < times; time++) ask(targets, [[failed500], ["served"]], tenant);
  };

  it("opens after the failures of three requests, and keeps nobody from other models", () => {
    const targets = [upstream(), upstream()];
    fail(targets, 2);
    expect(ask(targets, [["dropped"], ["served"]]).asked).toEqual([0, 1]);
    fail(targets, 1);
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([1]);
    const others = [{ ...targets[0]!, model: "a/c" }, targets[1]!];
    expect(ask(others, [["served"], ["served"]]).asked).toEqual([0]);
  });

  it("does not open for what one request of one tenant does", () => {
    const targets = [upstream(), upstream()];
    const again = new Routing(targets, { requestId: "one", tenant: "ws_1" });
    for (let time = 0; time < 20; time++) again.failed(targets[0]!, failed500);
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([0]);
  });

  it("opens for what two tenants meet", () => {
    const targets = [upstream(), upstream()];
    const asker = { requestId: "one", tenant: "ws_1" };
    for (let time = 0; time < 4; time++) new Routing(targets, asker).failed(targets[0]!, failed500);
    new Routing(targets, { requestId: "two", tenant: "ws_2" }).failed(targets[0]!, failed500);
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([1]);
  });

  it("stays closed when there is nobody else to ask", () => {
    const only = upstream();
    for (let time = 0; time < 5; time++) expect(ask([only], [[refused]]).asked).toEqual([0, 0]);
    expect(ask([only], [["served"]]).asked).toEqual([0]);
  });

  it("lets one request through after a while, and another when that one ends without a verdict", () => {
    const targets = [upstream(), upstream()];
    fail(targets, 3);
    now += 10_000;
    expect(ask(targets, [["dropped"], ["served"]]).asked).toEqual([0, 1]);
    expect(ask(targets, [[answered(400, "invalid_request")], ["served"]]).asked).toEqual([0]);
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([0]);
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([0]);
  });

  it("lets another request try after each wait while the one before it has no answer yet", () => {
    const targets = [upstream(), upstream()];
    fail(targets, 3);
    now += 10_000;
    new Routing(targets, { requestId: "slow", tenant: "ws_1" }).next();
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([1]);
    now += 10_000;
    expect(ask(targets, [["served"], ["served"]]).asked).toEqual([0]);
  });
});
