import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { createMemoryBus } from "../../adapters/bus/memory-bus.ts";
import type { Bus } from "../../ports/bus.ts";
import type { Job, JobQueue, NewJob, WorkOptions } from "../../ports/job-queue.ts";
import type { ExtractionTools } from "./run-extraction.ts";
import type { ExtractionRow } from "./tables.ts";
import { startExtractionWork } from "./work.ts";

const day = 86_400_000;
const now = Date.UTC(2024, 5, 30);
const secret = "whsec_test";
const finished = {
  id: "ext_1",
  workspaceId: "ws_1",
  keyId: "key_1",
  status: "completed",
  fileName: "invoice.pdf",
  webhookUrl: "http://127.0.0.1:9/hook",
  createdAt: new Date(now),
} as ExtractionRow;

interface Worker {
  run(job: Partial<Job<{ extractionId: string }>>): Promise<void>;
  options: WorkOptions;
}

/** The work with a queue that only takes notes, and a store that knows one finished extraction. */
function start(
  options: { retentionMs?: number; allowsPrivateWebhooks?: boolean; row?: ExtractionRow; bus?: Bus } = {},
) {
  const workers = new Map<string, Worker>();
  const enqueued: NewJob[] = [];
  const jobs: JobQueue = {
    enqueue: async (job) => {
      enqueued.push(job);
      return "job_1";
    },
    work: (kind, handler, workOptions) => {
      workers.set(kind, {
        run: (job) =>
          handler({ id: "job_1", workspaceId: null, attempt: 1, ...job } as never, new AbortController().signal),
        options: workOptions ?? {},
      });
    },
    stop: async () => {},
  };
  const documents = {
    findAny: vi.fn(async (_id: string) => options.row ?? finished),
    removeOlderThan: vi.fn(async () => {}),
    sealFormer: async () => {},
    sealFormerRows: async () => 0,
    listUnfinished: vi.fn(async () => [{ id: "ext_2", workspaceId: "ws_2", keyId: "key_2" }]),
  };
  const contents = { removeUnused: vi.fn(async () => {}) };
  const webhookSecrets = { get: async () => secret };
  const tools = {
    documents,
    contents,
    webhookSecrets,
    clock: { now: () => now },
    log: { warn: () => {} },
  } as unknown as ExtractionTools;
  const { retentionMs = 30 * day, allowsPrivateWebhooks = true, bus = createMemoryBus() } = options;
  // Nobody looks for itself within the time of a test.
  const waiting = { bus, finishedSubject: "test.extraction.finished", pollMs: day, readsHere: true };
  const work = startExtractionWork(tools, jobs, { retentionMs, allowsPrivateWebhooks, ...waiting });
  return { workers, enqueued, documents, contents, work };
}

/** The store of these tests answers at once, so whatever the start set going is over after this turn of the loop. */
const sweepDone = () => setImmediate();

describe("a webhook", () => {
  it("is sent again after 2, 6, 18 ... seconds, at most an hour apart", () => {
    const { retryAfterMs } = start().workers.get("extraction-webhook")!.options;
    expect([1, 2, 3, 4, 5, 6, 7].map((attempt) => retryAfterMs!(attempt) / 1000)).toEqual([
      2, 6, 18, 54, 162, 486, 1458,
    ]);
    expect(retryAfterMs!(12)).toBe(3_600_000);
  });

  it("is queued with eight tries once its extraction is finished, and only where an address was given", async () => {
    const { workers, enqueued } = start();
    await workers.get("extraction")!.run({ payload: { extractionId: "ext_1" } });
    expect(enqueued).toContainEqual(
      expect.objectContaining({ kind: "extraction-webhook", payload: { extractionId: "ext_1" }, maxAttempts: 8 }),
    );
    const without = start({ row: { ...finished, webhookUrl: null } });
    await without.workers.get("extraction")!.run({ payload: { extractionId: "ext_1" } });
    expect(without.enqueued.filter((job) => job.kind === "extraction-webhook")).toEqual([]);
  });

  it("carries the result and a signature over time and body, and counts as failed unless it is answered with success", async () => {
    const received: { request: IncomingMessage; body: string }[] = [];
    const statuses = [500, 302, 204];
    const receiver = createServer(async (request, response) => {
      received.push({ request, body: await text(request) });
      response.writeHead(statuses[received.length - 1]!, { location: "http://127.0.0.1:9/" }).end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const worker = start({ row: { ...finished, webhookUrl } }).workers.get("extraction-webhook")!;
    const deliver = () => worker.run({ payload: { extractionId: "ext_1" } });
    await expect(deliver()).rejects.toThrow("answered 500");
    await expect(deliver()).rejects.toThrow("answered 302");
    await deliver();
    receiver.close();
    const { request, body } = received[2]!;
    expect(JSON.parse(body)).toMatchObject({ id: "ext_1", status: "completed" });
    const signature = createHmac("sha256", secret)
      .update(`${now / 1000}.${body}`)
      .digest("hex");
    expect(request.headers).toMatchObject({
      "x-extraction-id": "ext_1",
      "x-extraction-signature": `t=${now / 1000},v1=${signature}`,
    });
  });

  it("is refused when its address is private at the moment of sending", async () => {
    const worker = start({ allowsPrivateWebhooks: false }).workers.get("extraction-webhook")!;
    await expect(worker.run({ payload: { extractionId: "ext_1" } })).rejects.toThrow("private or loopback");
  });

  it("is not sent for an extraction that was deleted meanwhile", async () => {
    const { workers, documents } = start();
    documents.findAny.mockResolvedValue(undefined as never);
    await expect(
      workers.get("extraction-webhook")!.run({ payload: { extractionId: "ext_1" } }),
    ).resolves.toBeUndefined();
  });
});

describe("a request that waits for its document", () => {
  const waiting = { ...finished, status: "processing" } as ExtractionRow;
  const never = new AbortController().signal;

  it.each(["this server", "another server"])("is answered as soon as %s has finished it", async (who) => {
    const bus = createMemoryBus();
    const here = start({ row: waiting, bus });
    const there = start({ bus });
    const answer = here.work.waitFor("ext_1", day, never);
    await setImmediate();
    here.documents.findAny.mockResolvedValue(finished);
    const worker = who === "this server" ? here : there;
    await worker.workers.get("extraction")!.run({ payload: { extractionId: "ext_1" } });
    expect((await answer)?.status).toBe("completed");
  });

  it("is left alone by what happens to others", async () => {
    const { work, workers, documents } = start({ row: waiting });
    documents.findAny.mockImplementation(async (id) => (id === "ext_1" ? waiting : finished));
    const gone = new AbortController();
    const answer = work.waitFor("ext_1", day, gone.signal);
    await workers.get("extraction")!.run({ payload: { extractionId: "ext_2" } });
    await setImmediate();
    expect(documents.findAny.mock.calls.filter(([id]) => id === "ext_1")).toHaveLength(1);
    gone.abort();
    expect((await answer)?.status).toBe("processing");
  });

  it("that does not want to wait is told how far it is", async () => {
    expect((await start({ row: waiting }).work.waitFor("ext_1", 0, never))?.status).toBe("processing");
  });
});

describe("at the start", () => {
  it("what is older than the retention goes, and uploads that broke off an hour ago", async () => {
    const { documents, contents } = start({ retentionMs: 30 * day });
    await sweepDone();
    expect(contents.removeUnused).toHaveBeenCalledWith(new Date(now - 3_600_000));
    expect(documents.removeOlderThan).toHaveBeenCalledWith(new Date(now - 30 * day));
  });

  it("everything stays where the retention is none", async () => {
    const { documents, contents } = start({ retentionMs: 0 });
    await sweepDone();
    expect(contents.removeUnused).toHaveBeenCalled();
    expect(documents.removeOlderThan).not.toHaveBeenCalled();
  });

  it("work that a crash left behind is queued again, in the turn of its key", async () => {
    const { enqueued } = start();
    await sweepDone();
    expect(enqueued).toEqual([
      { kind: "extraction", payload: { extractionId: "ext_2" }, workspaceId: "ws_2", turnOf: "key_2", maxAttempts: 50 },
    ]);
  });
});
