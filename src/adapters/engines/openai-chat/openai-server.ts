import { Problem } from "../../../platform/errors.ts";

/** An OpenAI-compatible server and one of its models. */
export interface OpenAiServer {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** `openai:http://host/v1#model`; undefined for anything else. */
export function parseServer(text: string): Pick<OpenAiServer, "baseUrl" | "model"> | undefined {
  const match = /^openai:(https?:\/\/[^#\s]+?)\/?#(\S+)$/u.exec(text.trim());
  if (match === null || !URL.canParse(match[1]!)) return undefined;
  return { baseUrl: match[1]!, model: match[2]! };
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** From asking to the first byte of the answer. */
  readonly timeoutMs: number;
  /** How often a request that got no answer is sent again. */
  readonly retries?: number;
  /** What the server is called in messages: "chat", "embedding". */
  readonly kind: string;
}

/** Sends a request until the server begins to answer. What goes wrong is a Problem without the server's address or words. */
export async function askServer(
  server: OpenAiServer,
  path: string,
  body: object,
  { signal, timeoutMs, retries = 2, kind }: AskOptions,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOnce(server, path, body, signal, timeoutMs, kind);
    if (outcome instanceof Response) return outcome;
    signal.throwIfAborted();
    if (attempt >= retries || !outcome.isPassing) throw outcome.problem;
    await pause(250 * 4 ** attempt, signal);
  }
}

interface Failure {
  readonly problem: Problem;
  /** The same request may succeed in a moment. */
  readonly isPassing: boolean;
}

async function tryOnce(
  server: OpenAiServer,
  path: string,
  body: object,
  signal: AbortSignal,
  timeoutMs: number,
  kind: string,
): Promise<Response | Failure> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const response = await fetch(`${server.baseUrl}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(server.apiKey ? { authorization: `Bearer ${server.apiKey}` } : {}),
      },
      body: JSON.stringify({ model: server.model, ...body }),
      // Only the deadline of the first byte ends here: the signal must still stop the stream that follows.
      signal: AbortSignal.any([signal, deadline.signal]),
    });
    return response.ok ? response : await refusal(response, kind);
  } catch (cause) {
    const what = deadline.signal.aborted
      ? `did not answer within ${Math.round(timeoutMs / 1000)} s`
      : "cannot be reached";
    // Asking a server again that was too slow would only make the caller wait twice.
    const isPassing = !deadline.signal.aborted;
    return { problem: new Problem("engine_unavailable", `The ${kind} server ${what}.`, { cause }), isPassing };
  } finally {
    clearTimeout(timer);
  }
}

async function refusal(response: Response, kind: string): Promise<Failure> {
  const words = (await response.text().catch(() => "")).slice(0, 500);
  const cause = new Error(`status ${response.status}: ${words}`);
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    const retryAfterSeconds = Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 5;
    const message = `The ${kind} server is busy. Try again in ${retryAfterSeconds} s.`;
    return { problem: new Problem("engine_busy", message, { cause, retryAfterSeconds }), isPassing: false };
  }
  const isOurs = response.status < 500;
  const problemKind = isOurs ? "engine_rejected" : "engine_unavailable";
  const message = `The ${kind} server answered ${response.status}.`;
  return { problem: new Problem(problemKind, message, { cause }), isPassing: !isOurs };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
