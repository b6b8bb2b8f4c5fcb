import type { EngineStatus } from "../ports/engine-host.ts";
import type { EngineContext } from "./engine-context.ts";

interface RemoteServer {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** Its own server knows what it is doing. */
const quiet = {
  queued: 0,
  active: 0,
  places: 0,
  meanJobMs: 0,
  oldestWaitMs: 0,
  busySeconds: 0,
  restarts: 0,
  rssBytes: 0,
} as const;

/** Whoever asks `/readyz` more often than this gets the last answer. */
const freshMs = 10_000;
const longestAnswerMs = 5_000;

/** Puts an engine on another server on the board. It is asked for its models now and then, so that `/readyz` knows of its end
 *  before a user does. */
export function showRemote(
  { board, settings }: EngineContext,
  capability: string,
  ownModel: string,
  { baseUrl, model, apiKey = settings.engines.apiKey }: RemoteServer,
): void {
  const known = { ...quiet, name: `openai:${model}` };
  let status: EngineStatus = { ...known, state: "ready" };
  let askedMs = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    askedMs = performance.now();
    const reason = await whyUnreachable(baseUrl, apiKey);
    status = reason ? { ...known, state: "failed", reason } : { ...known, state: "ready" };
  };
  void refresh();
  board.add({
    capability,
    model: `${ownModel}/${model}`,
    modelIds: [],
    isNeeded: true,
    status() {
      if (performance.now() - askedMs > freshMs) void refresh();
      return status;
    },
  });
}

/** Any answer but a failure shows that the server works; not every one lists its models, or to everybody. */
async function whyUnreachable(baseUrl: string, apiKey: string | undefined): Promise<string | undefined> {
  try {
    const { status, body } = await fetch(`${baseUrl}/models`, {
      ...(apiKey ? { headers: { authorization: `Bearer ${apiKey}` } } : {}),
      signal: AbortSignal.timeout(longestAnswerMs),
    });
    await body?.cancel();
    if (status === 401 || status === 403) return "The server refuses the key in SVC_ENGINE_API_KEY.";
    return status >= 500 ? `The server answers with ${status}.` : undefined;
  } catch {
    return "The server does not answer. Check its address and that it runs.";
  }
}
