import { constants, setPriority } from "node:os";

/** Mixed abuse by one key, so many requests at a time, until the process is told to end. In a process of its own, because making
 *  megabytes of nonsense would hold up the client that the benchmark measures, and behind all others in the queue for a core, because
 *  who does this to a server does it from another machine. Tells in the end what it was answered, and what it did when. */
setPriority(constants.priority.PRIORITY_LOW);
const [url, key, atOnce] = process.argv.slice(2) as [string, string, string];

type Attack = readonly [path: string, body: string | FormData, type?: string];

export interface AbuseReport {
  statuses: Record<number, number>;
  attacks: { name: string; fromMs: number; toMs: number }[];
}

function document(text: string): FormData {
  const form = new FormData();
  form.append("file", new Blob([text], { type: "text/plain" }), "a.txt");
  return form;
}

const json = "application/json";
const attackList: readonly Attack[] = [
  ["/v1/translate", JSON.stringify({ text: "é".repeat(160_000), target_language: "es" }), json],
  ["/v1/chat", JSON.stringify({ message: `e${"\u0301".repeat(1_000_000)}` }), json],
  ["/v1/chat", "[".repeat(4_000_000), json],
  ["/gateway/v1/chat/completions", `[${"[],".repeat(1_000_000)}1]`, json],
  [
    "/gateway/v1/chat/completions",
    JSON.stringify({ model: "a/b", messages: [], models: Array(200_000).fill("a") }),
    json,
  ],
  ["/extraction/v1/templates", "? ".repeat(20_000), "application/yaml"],
  ["/extraction/v1/templates", JSON.stringify({ name: "t", fields: [{ name: "__proto__.a", labels: ["x"] }] }), json],
  ["/extraction/v1/extract?wait=30", document("a ".repeat(40_000))],
  ["/v1/transcribe", document("RIFF".repeat(1_000_000))],
  ["/v1/speech", JSON.stringify({ text: "Hello. ".repeat(400), voice: "constructor" }), json],
  ["/v1/nowhere", "x".repeat(1_000_000), json],
  // What a key may ask for, as much of it as there may be.
  ["/v1/speech", JSON.stringify({ text: "The quick brown fox jumps over the lazy dog. ".repeat(60) }), json],
  ["/v1/translate", JSON.stringify({ text: "The house is old. ".repeat(160), target_language: "de" }), json],
  [
    "/v1/embeddings",
    JSON.stringify({ input: Array(64).fill("A sentence about nothing in particular. ".repeat(20)) }),
    json,
  ],
];

const over = new AbortController();
const statuses = new Map<number, number>();
const attacks: AbuseReport["attacks"] = [];
process.once("message", () => over.abort());
await Promise.all(Array.from({ length: Number(atOnce) }, abuse));
process.send?.({ statuses: Object.fromEntries([...statuses].sort()), attacks } satisfies AbuseReport);
process.disconnect?.();

async function abuse(): Promise<void> {
  while (!over.signal.aborted) {
    const index = Math.floor(Math.random() * attackList.length);
    const [path, body, type] = attackList[index]!;
    const fromMs = Date.now();
    const headers = { authorization: `Bearer ${key}`, "x-api-key": key, ...(type ? { "content-type": type } : {}) };
    const reply = await fetch(url + path, { method: "POST", headers, body, signal: over.signal }).catch(
      () => undefined,
    );
    await reply?.arrayBuffer().catch(() => {});
    attacks.push({ name: `${index} ${path}`, fromMs, toMs: Date.now() });
    if (over.signal.aborted) return;
    const status = reply?.status ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
}
