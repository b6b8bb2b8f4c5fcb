import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
  json: any;
  /** Resolves with the milliseconds since 1970 at which the connection closed before the reply was complete. */
  closed: Promise<number>;
}

type Answer = (request: Received, response: http.ServerResponse) => void | Promise<void>;

export interface FakeUpstream {
  url: string;
  received: Received[];
  /** Answers for a path; `*` for all others. */
  on(path: string, answer: Answer): void;
  close(): Promise<void>;
}

/** A real HTTP server that plays an upstream gateway, byte by byte as a test wants it. */
export async function startFakeUpstream(models: object[] = defaultModels): Promise<FakeUpstream> {
  const answers = new Map<string, Answer>();
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const path = request.url ?? "";
      const isJson = request.headers["content-type"]?.includes("json");
      const entry: Received = {
        method: request.method ?? "",
        path,
        headers: request.headers,
        body,
        json: isJson && body.length > 0 ? JSON.parse(body.toString()) : undefined,
        closed: new Promise((resolve) => {
          response.once("close", () => {
            if (!response.writableFinished) resolve(Date.now());
          });
        }),
      };
      const plain = path.split("?")[0]!;
      if (plain !== "/v1/models") received.push(entry);
      const answer = answers.get(plain) ?? answers.get("*");
      if (answer) void answer(entry, response);
      else sendJson(response, { error: { message: "nothing here", type: "not_found" } }, 404);
    });
  });
  answers.set("/v1/models", (_request, response) => sendJson(response, { object: "list", data: models }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    on: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const defaultModels = [
  {
    id: "acme/chat",
    object: "model",
    created: 1,
    owned_by: "acme",
    type: "language",
    max_tokens: 1000,
    pricing: { input: "0.000001", output: "0.000002", input_cache_read: "0.0000001" },
  },
  {
    id: "acme/embed",
    object: "model",
    created: 1,
    owned_by: "acme",
    pricing: { input: "0.00000002" },
    endpoints: [{ tag: "1", pricing: { prompt: "0.00000002" } }],
  },
  { id: "acme/image", object: "model", created: 1, owned_by: "acme", pricing: { image: "0.04" } },
  {
    id: "acme/speech",
    object: "model",
    created: 1,
    owned_by: "acme",
    pricing: { speech_input_character_cost: "0.000015" },
  },
  {
    id: "acme/hear",
    object: "model",
    created: 1,
    owned_by: "acme",
    pricing: { transcription_duration_cost_per_second: "0.0001" },
  },
  {
    id: "acme/video",
    object: "model",
    created: 1,
    owned_by: "acme",
    pricing: { video_duration_pricing: [{ resolution: "720p", cost_per_second: "0.1" }] },
  },
  { id: "acme/rank", object: "model", created: 1, owned_by: "acme", pricing: {} },
  { id: "acme/talk", object: "model", created: 1, owned_by: "acme", pricing: {} },
];

export function sendJson(
  response: http.ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export function completion(usage?: object, extra: object = {}) {
  return {
    id: "gen_1",
    object: "chat.completion",
    created: 1,
    model: "acme/chat",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello.", refusal: null }, finish_reason: "stop" }],
    ...(usage ? { usage } : {}),
    ...extra,
  };
}

export function chunk(content: string, extra: object = {}) {
  return {
    id: "gen_1",
    object: "chat.completion.chunk",
    created: 1,
    model: "acme/chat",
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...extra,
  };
}

export const event = (data: unknown) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

export function openEvents(response: http.ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
}
