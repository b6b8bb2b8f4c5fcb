import { Problem } from "../../platform/errors.ts";
import { readWhole, type UpstreamReply } from "../../ports/model-upstream.ts";
import { isObject, type Json } from "../json.ts";
import type { Upstream } from "./upstream.ts";

const largestErrorBody = 256_000;
const longestMessage = 600;

/** Turns an upstream's refusal into ours. What is wrong with the request is told; what is wrong between us and the upstream
 *  is not the caller's business. */
export async function readProblem(upstream: Upstream, reply: UpstreamReply): Promise<Problem> {
  const body = await readWhole(reply, largestErrorBody).catch(() => Buffer.alloc(0));
  const retryAfterSeconds = readRetryAfter(reply.header("retry-after"));
  return problemOf(upstream, { ...readError(body), status: reply.status, retryAfterSeconds });
}

/** An error in a reply that claims success: `{"error": ...}` as a whole reply or as an event. */
export function problemInside(upstream: Upstream, body: Json): Problem {
  const { code } = isObject(body.error) ? body.error : body;
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : 502;
  return problemOf(upstream, { ...errorOf(body), status });
}

/** Nothing was produced, and there is no word about why. */
export function nothingInside(what: string, cause?: unknown): Problem {
  return new Problem("upstream_failed", `The upstream gateway sent ${what}.`, { cause });
}

interface Refusal {
  status: number;
  message: string | undefined;
  type: string;
  retryAfterSeconds?: number | undefined;
}

function problemOf(upstream: Upstream, { status, message, type, retryAfterSeconds }: Refusal): Problem {
  // Its words may repeat what the caller wrote, so the log gets only their type.
  const about = {
    cause: new Error(`${upstream.name} answered ${status} ${type}`),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  };
  if (status === 401 || status === 402 || status === 403 || type === "budget_exceeded") {
    return new Problem("gateway_unavailable", "The gateway's account with its upstream is not in order.", about);
  }
  if (status === 429) {
    return new Problem("rate_limited", "The model's provider is busy. Try again later.", about);
  }
  const shown = message === undefined ? undefined : withoutTraces(message, upstream);
  switch (status) {
    case 404: {
      if (shown === undefined) return new Problem("not_found", "The upstream gateway does not offer this.", about);
      return new Problem(/model/i.test(`${type} ${shown}`) ? "model_not_found" : "not_found", shown, about);
    }
    case 409:
      return new Problem("conflict", shown ?? "The request is in conflict with another one.", about);
    case 413:
      return new Problem("too_large", shown ?? "The request is too large for the model.", about);
    case 415:
      return new Problem("unsupported_media_type", shown ?? "The model does not take this kind of file.", about);
    case 422:
      return new Problem("unprocessable_audio", shown ?? "The model cannot process this request.", about);
    case 424:
      return new Problem("dependency_failed", shown ?? "The model's provider failed. Try again.", about);
    case 451:
      return new Problem("legally_unavailable", shown ?? "The model is not offered here for legal reasons.", about);
    case 405:
    case 408:
      break;
    default:
      if (status >= 400 && status < 500) {
        return new Problem("invalid_request", shown ?? "The model does not accept this request.", about);
      }
  }
  return new Problem("upstream_failed", "The upstream gateway failed. Try again.", about);
}

/** Error bodies come in many shapes, as HTML, or not at all. */
export function readError(body: Buffer): { message: string | undefined; type: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch {
    return { message: undefined, type: "" };
  }
  return isObject(parsed) ? errorOf(parsed) : { message: undefined, type: "" };
}

function errorOf(parsed: Json): { message: string | undefined; type: string } {
  const error = isObject(parsed.error) ? parsed.error : parsed;
  const message = [error.message, parsed.message, parsed.error, parsed.detail].find((one) => typeof one === "string");
  return { message: message as string | undefined, type: typeof error.type === "string" ? error.type : "" };
}

/** A provider's own words, without what would tell where they come from. */
export function withoutTraces(message: string, upstream: Upstream): string {
  const { host, hostname } = new URL(upstream.client.origin);
  let shown = message;
  for (const secret of [upstream.key, host, hostname]) if (secret) shown = shown.replaceAll(secret, "upstream");
  return shown.replace(/\b(sk|vck|gw|vcst)[-_][\w-]{8,}/g, "***").slice(0, longestMessage);
}

export function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(3600, Math.max(1, Math.ceil(seconds))) : undefined;
}
