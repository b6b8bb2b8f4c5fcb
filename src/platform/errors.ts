/** What can go wrong, named once for all three services. Each service's dialect table says how it looks on the wire. */
export type ProblemKind =
  | "invalid_request"
  | "unauthorized"
  | "missing_scope"
  | "plan_restricted"
  | "model_not_allowed"
  | "not_found"
  | "model_not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_media_type"
  | "unprocessable_audio"
  | "unreadable_document"
  | "rate_limited"
  | "insufficient_credits"
  | "engine_busy"
  | "engine_unavailable"
  | "engine_rejected"
  | "upstream_failed"
  | "gateway_unavailable"
  | "service_unavailable"
  | "storage_down"
  | "request_timeout"
  | "dependency_failed"
  | "legally_unavailable"
  | "internal";

export interface ProblemDetails {
  /** What really happened, for the log. Never shown to the caller. */
  cause?: unknown;
  /** Whole seconds after which the same request succeeds. */
  retryAfterSeconds?: number;
  /** Methods that the path does accept, for `method_not_allowed`. */
  allow?: readonly string[];
  /** The field of the request that it is about, for forms that show it there. */
  field?: string;
  /** A narrower name than the kind's, where a page must tell two refusals of one kind apart. */
  reason?: string;
}

/** A failure the caller can act on. Its message says what was wrong and what is valid, and is safe to show. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly field: string | undefined;
  readonly reason: string | undefined;

  constructor(kind: ProblemKind, message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Problem";
    this.kind = kind;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.allow = details.allow;
    this.field = details.field;
    this.reason = details.reason;
  }
}

/** An engine that is down or busy for now: another one, or a later try, may do. */
export function isPassing(error: unknown): boolean {
  return error instanceof Problem && (error.kind === "engine_unavailable" || error.kind === "engine_busy");
}

/** "a, b and c": for messages that name the valid values. */
export function list(values: readonly string[], most = 60): string {
  const shown = values.slice(0, most);
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
