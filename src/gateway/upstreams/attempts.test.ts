import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import { SilentError, UnreachableError, type UpstreamTransport } from "../../ports/model-upstream.ts";
import { Attempts, type Target } from "./attempts.ts";
import type { StopSignal } from "./live-reply.ts";
import { createUpstream, type Upstream } from "./upstream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Outcome = number | "refused" | "silent" | "hung" | "slow";
const clock = { now: () => Date.now() };

/** An upstream that answers its calls with these outcomes, one after another, and then with the last for ever. */
function pretend(name: string, ...outcomes: Outcome[]): Target & { upstream: Upstream; calls: number } {
  const pretended = { upstream: undefined as unknown as Upstream, model: "a/b", calls: 0 };
  const transport: UpstreamTransport = {
    origin: `http://${name}.example`,
    send(_call, receiver) {
      const outcome = outcomes[Math.min(pretended.calls, outcomes.length - 1)]!;
      pretended.calls += 1;
      if (outcome === "silent") return () => receiver.onFailure(new Error("broken off"));
      if (outcome === "slow") {
        setTimeout(() => receiver.onFailure(new Error("reset")), 30_000);
        return () => {};
      }
      queueMicrotask(() => {
        if (outcome === "hung") return receiver.onFailure(new SilentError("said nothing"));
        if (outcome === "refused") return receiver.onFailure(new UnreachableError("refused"));
        const headers: Record<string, string> = { "retry-after": "1" };
        receiver.onHead({ status: outcome, header: (wanted) => headers[wanted] }, { pause() {}, resume() {} });
        receiver.onData(Buffer.from('{"error":{"message":"its words"}}'));
        receiver.onEnd();
      });
      return () => {};
    },
    async close() {},
  };
  pretended.upstream = createUpstream(
    { url: `http://${name}.example/v1`, key: "k", kind: "openai", models: [] },
    0,
    transport,
    clock,
  );
  return pretended;
}

const never: StopSignal = { aborted: false, reason: undefined, addEventListener() {}, removeEventListener() {} };

const attemptsAt = (targets: Target[], signal: StopSignal = never) =>
  new Attempts({ targets, callFor: () => ({ method: "POST", path: "/", headers: {} }), signal, log: silentLog });

async function ask(targets: Target[], signal?: StopSignal): Promise<Target> {
  const attempts = attemptsAt(targets, signal);
  const { target } = await attempts.next();
  return target;
}

/** Lets every pause between tries pass. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  return promise;
}

describe("asking upstreams", () => {
  it("ends with the first that answers", async () => {
    const [first, second] = [pretend("first", 200), pretend("second", 200)];
    expect((await settled(ask([first, second]))).upstream).toBe(first.upstream);
    expect(second.calls).toBe(0);
  });

  it("tries one that fails twice, and then the next", async () => {
    for (const failure of ["refused", 500, 503] as const) {
      const [first, second] = [pretend("first", failure), pretend("second", 200)];
      expect((await settled(ask([first, second]))).upstream).toBe(second.upstream);
      expect(first.calls).toBe(2);
    }
  });

  it("does not wait for one that is limited while another is free, and asks it last until it is free again", async () => {
    const [first, second] = [pretend("first", 429, 200), pretend("second", 200)];
    const startedAtMs = Date.now();
    expect(await ask([first, second])).toBe(second);
    expect(await ask([first, second])).toBe(second);
    expect([Date.now() - startedAtMs, first.calls]).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await ask([first, second])).toBe(first);
  });

  it("comes back to one that is limited for a moment when nobody else can serve it", async () => {
    const [first, second] = [pretend("first", 429, 200), pretend("second", 401)];
    expect(await settled(ask([first, second]))).toBe(first);
    expect([first.calls, second.calls]).toEqual([2, 1]);
    const [busy, other] = [pretend("busy", 429), pretend("other", 401)];
    await expect(settled(ask([busy, other]))).rejects.toMatchObject({ kind: "rate_limited" });
    expect([busy.calls, other.calls]).toEqual([2, 1]);
  });

  it("is content with a second try", async () => {
    const only = pretend("only", "refused", 200);
    expect((await settled(ask([only]))).upstream).toBe(only.upstream);
  });

  it("does not run a request twice whose upstream took it and fell silent", async () => {
    const [first, second] = [pretend("first", "hung"), pretend("second", 200)];
    await expect(settled(ask([first, second]))).rejects.toMatchObject({ kind: "upstream_failed" });
    expect([first.calls, second.calls]).toEqual([1, 0]);
  });

  it("does not send a request again to one that was at work on it for long", async () => {
    const [first, second] = [pretend("first", "slow"), pretend("second", 200)];
    expect((await settled(ask([first, second]))).upstream).toBe(second.upstream);
    expect(first.calls).toBe(1);
  });

  it("goes on to the next when a success turns out to be none, without asking the first again", async () => {
    const [first, second] = [pretend("first", 200), pretend("second", 200)];
    const attempts = attemptsAt([first, second]);
    await attempts.next();
    attempts.refuse(new Problem("upstream_failed", "an empty reply"));
    const { target: served } = await attempts.next();
    expect([served, first.calls]).toEqual([second, 1]);
  });

  it("shuts out a model that keeps failing, and no other model of the same upstream", async () => {
    const only = pretend("only", 500, 500, 500, 500, 500, 200);
    for (let requests = 0; requests < 3; requests++) {
      const asking = ask([only]);
      asking.catch(() => {});
      await vi.advanceTimersByTimeAsync(1_000);
      await expect(asking).rejects.toMatchObject({ kind: "upstream_failed" });
    }
    await expect(ask([only])).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) });
    const other = { upstream: only.upstream, model: "a/c" };
    expect(await ask([other])).toBe(other);
  });

  it("asks for another model whatever the first one says, and no other upstream for the same one", async () => {
    for (const status of [400, 413, 415, 422, 409, 451]) {
      const [first, same, other] = [pretend("first", status), pretend("same", 200), pretend("other", 200)];
      const another = { upstream: other.upstream, model: "a/c" };
      expect(await settled(ask([first, same, another]))).toBe(another);
      expect([first.calls, same.calls, other.calls]).toEqual([1, 0, 1]);
    }
  });

  it("goes on to another model when a success turns out to be a refusal of the request", async () => {
    const [first, same, other] = [pretend("first", 200), pretend("same", 200), pretend("other", 200)];
    const another = { upstream: other.upstream, model: "a/c" };
    const attempts = attemptsAt([first, same, another]);
    await attempts.next();
    attempts.refuse(new Problem("invalid_request", "too long"));
    expect((await attempts.next()).target).toBe(another);
  });

  it("tells what is wrong with the request when no model takes it, rather than that one is unknown", async () => {
    for (const statuses of [
      [400, 404],
      [404, 400],
      [400, 401],
    ]) {
      const [first, other] = [pretend("first", statuses[0]!), pretend("other", statuses[1]!)];
      const asking = ask([first, { upstream: other.upstream, model: "a/c" }]);
      await expect(settled(asking)).rejects.toMatchObject({ kind: "invalid_request", message: "its words" });
    }
  });

  it("asks nobody else about a request that is wrong", async () => {
    const [first, second] = [pretend("first", 400), pretend("second", 200)];
    await expect(settled(ask([first, second]))).rejects.toMatchObject({
      kind: "invalid_request",
      message: "its words",
    });
    expect([first.calls, second.calls]).toEqual([1, 0]);
  });

  it("goes on at once from one whose account is not in order, or that has no such model", async () => {
    for (const status of [401, 402, 403, 404]) {
      const [first, second] = [pretend("first", status), pretend("second", 200)];
      expect((await settled(ask([first, second]))).upstream).toBe(second.upstream);
      expect(first.calls).toBe(1);
    }
  });

  it("stops asking one that keeps failing, and lets a single request try it after a while", async () => {
    const only = pretend("only", "refused");
    for (let requests = 0; requests < 3; requests++) {
      const asking = ask([only]);
      asking.catch(() => {});
      await vi.advanceTimersByTimeAsync(1_000);
      await expect(asking).rejects.toMatchObject({ kind: "upstream_failed" });
    }
    // The third request met the breaker after its first try.
    expect(only.calls).toBe(5);
    await expect(ask([only])).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) });
    expect(only.calls).toBe(5);
    await vi.advanceTimersByTimeAsync(10_000);
    const trying = ask([only]);
    trying.catch(() => {});
    await expect(ask([only])).rejects.toMatchObject({ kind: "upstream_failed" });
    expect(only.calls).toBe(6);
    await vi.advanceTimersByTimeAsync(1_000);
  });

  it("lets another request try after each wait while the one before it has no answer yet", async () => {
    const only = pretend("only", "refused", "refused", "refused", "refused", "refused", "silent", 200);
    for (let requests = 0; requests < 3; requests++) await expect(settled(ask([only]))).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(10_000);
    ask([only]).catch(() => {});
    await expect(ask([only])).rejects.toMatchObject({ kind: "upstream_failed" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await ask([only])).toBe(only);
    expect(await ask([only])).toBe(only);
  });

  it("tells the last failure when all have failed, and that nobody offers it when none does", async () => {
    const [first, second] = [pretend("first", 500), pretend("second", 429)];
    await expect(settled(ask([first, second]))).rejects.toMatchObject({ kind: "rate_limited", retryAfterSeconds: 1 });
    await expect(settled(ask([]))).rejects.toMatchObject({ kind: "service_unavailable" });
  });

  it("ends when the client hangs up, whether it waits for a reply or between two tries, and blames nobody", async () => {
    for (const outcome of ["silent", "refused"] as const) {
      const only = pretend("only", outcome);
      const abort = new AbortController();
      const asking = ask([only], abort.signal);
      asking.catch(() => {});
      await vi.advanceTimersByTimeAsync(1);
      abort.abort(new Error("gone"));
      await expect(settled(asking)).rejects.toThrow("gone");
      expect(only.calls).toBe(1);
    }
  });
});
