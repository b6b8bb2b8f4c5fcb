import { checkReply } from "./check-reply.ts";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  json: any;
}

export interface Call {
  method?: string;
  key?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: NonNullable<RequestInit["body"]>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** One request. The key goes where the service of the path expects it. */
export async function call(url: string, { method, key, json, body, headers = {}, signal }: Call = {}): Promise<Reply> {
  const isExtraction = new URL(url).pathname.startsWith("/extraction");
  const verb = method ?? (json !== undefined || body !== undefined ? "POST" : "GET");
  const response = await fetch(url, {
    method: verb,
    ...(signal ? { signal } : {}),
    headers: {
      ...(key ? (isExtraction ? { "x-api-key": key } : { authorization: `Bearer ${key}` }) : {}),
      ...(json !== undefined ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  const parsed = isJson ? JSON.parse(text) : undefined;
  if (isJson) await checkReply(url, verb, response.status, parsed);
  return { status: response.status, headers: response.headers, text, json: parsed };
}

export function form(fields: Record<string, string | Blob | (string | Blob)[]>): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) {
      if (typeof value === "string") data.append(name, value);
      else data.append(name, value, "file.bin");
    }
  }
  return data;
}

export function blob(bytes: Uint8Array | string): Blob {
  return new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]);
}
