import { randomBytes } from "node:crypto";
import http from "node:http";
import net from "node:net";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { apiBase } from "../../src/dashboard/contract/route.ts";
import { routes } from "../../src/dashboard/contract/routes.ts";

/** Strangers: many addresses, no key, and everything that answers without one, so many at once, until the process is told to end. In a
 *  process of its own and behind all others in the queue for a core, as abuse.ts is. */
setPriority(constants.priority.PRIORITY_LOW);
const [url, atOnce] = process.argv.slice(2) as [string, string];
const { hostname, port } = new URL(url);

/** Linux lets everybody send from all of 127.0.0.0/8. */
const addresses = 2000;
const addressOf = (n: number) => `127.1.${Math.floor(n / 250)}.${(n % 250) + 1}`;
/** Connections that are opened and then say no more. */
const mostHeld = 3000;
const anyAddress = () => addressOf(Math.floor(Math.random() * addresses));
const nonsense = () => randomBytes(20).toString("hex");

export interface StrangerReport {
  /** Answers by what was tried. */
  answers: Record<string, Record<string, number>>;
}

const pages = [
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  "/docs",
  "/openapi.json",
  "/gateway/v1/openapi.json",
  "/call",
  "/nowhere",
];
const publicRoutes = Object.values(routes).filter(({ access }) => access === "public");
const keyed = [
  "/v1/chat",
  "/v1/transcribe",
  "/gateway/v1/chat/completions",
  "/extraction/v1/extract",
  "/admin/v1/workspaces",
];
const sockets = ["tts", "stt", "stt/auto", "stt/lang"];
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(Math.random() * values.length)]!;

const attacks: Record<string, () => Promise<string | number>> = {
  page: () => ask("GET", pick(pages)),
  preflight: () =>
    ask("OPTIONS", pick(keyed), { origin: "https://elsewhere.example", "access-control-request-method": "POST" }),
  "public route of the dashboard": () => {
    const { method, path } = pick(publicRoutes);
    const body = JSON.stringify({ email: `${nonsense()}@example.org`, password: nonsense(), token: nonsense() });
    const headers = { "content-type": "application/json", origin: url, "sec-fetch-site": "same-origin" };
    return ask(method, apiBase + path.replace(/:\w+/g, "x"), headers, method === "GET" ? "" : body);
  },
  "unknown key": () =>
    ask("POST", pick(keyed), { authorization: `Bearer ${nonsense()}`, "x-api-key": nonsense() }, "x".repeat(100_000)),
  "unknown cookie": () => ask("GET", `${apiBase}/session`, { cookie: `parlance_session=${nonsense()}` }),
  "unknown token": () =>
    ask(
      pick(["POST", "PATCH"]),
      `/v1/realtime/session/offer?token=prt_${nonsense()}`,
      { "content-type": "application/json" },
      "{}",
    ),
  "socket with an unknown token": () => knock(`?token=prt_${nonsense()}`),
  "socket without a token": () => knock(""),
  "declared megabyte": () =>
    hold(
      `POST /v1/realtime/session/offer?token=x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
    ),
  "half a request line": () => hold("GET /healthz HT"),
  "half a head": () => hold("GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: "),
  "no HTTP": () => hold("\u0016\u0003\u0001 not HTTP\r\n\r\n"),
  silence: () => hold(""),
};

const over = new AbortController();
const answers: StrangerReport["answers"] = {};
let held = 0;
process.once("message", () => over.abort());
await Promise.all(Array.from({ length: Number(atOnce) }, attack));
process.send?.({ answers } satisfies StrangerReport);
process.exit(0);

async function attack(): Promise<void> {
  while (!over.signal.aborted) {
    const name = pick(Object.keys(attacks));
    const answer = await attacks[name]!().catch((error: NodeJS.ErrnoException) => error.code ?? "failed");
    const told = answers[name] ?? {};
    told[answer] = (told[answer] ?? 0) + 1;
    answers[name] = told;
  }
}

/** A proxy's header, so that nobody is taken for this machine's own. */
const forwarded = { "x-forwarded-for": "203.0.113.7" };

function ask(method: string, path: string, headers: Record<string, string> = {}, body = ""): Promise<number> {
  return new Promise((resolve, reject) => {
    const given = { ...forwarded, ...headers, ...(body ? { "content-length": String(Buffer.byteLength(body)) } : {}) };
    const options = {
      host: hostname,
      port,
      method,
      path,
      headers: given,
      localAddress: anyAddress(),
      agent: false as const,
    };
    const request = http.request({ ...options, signal: over.signal }, (response) => {
      response.resume().once("close", () => resolve(response.statusCode ?? 0));
    });
    request.once("error", reject);
    request.end(body);
  });
}

function knock(query: string): Promise<string> {
  return new Promise((resolve) => {
    const address = `${url.replace("http", "ws")}/v1/realtime/${pick(sockets)}/stream${query}`;
    const socket = new WebSocket(address, { localAddress: anyAddress(), headers: forwarded });
    const timer = setTimeout(() => socket.terminate(), 2000);
    socket.once("error", () => {});
    socket.once("close", (code) => {
      clearTimeout(timer);
      resolve(String(code));
    });
  });
}

/** Goes on to the next after a moment; the connection stays until the server ends it. */
async function hold(beginning: string): Promise<string> {
  if (held >= mostHeld) {
    await sleep(50);
    return "enough are held";
  }
  held += 1;
  const socket = net.connect({ port: Number(port), host: hostname, localAddress: anyAddress(), allowHalfOpen: true });
  socket.on("error", () => {}).resume();
  socket.once("close", () => {
    held -= 1;
  });
  // A stranger does not hang up when asked to.
  socket.write(beginning);
  await sleep(20);
  return socket.destroyed ? "closed" : "held";
}
