import type { Problem, ProblemKind } from "../errors.ts";

/** How one service says that something went wrong. */
export interface Dialect {
  /** Status and `type` for each kind of problem. */
  table: Record<ProblemKind, { status: number; type: string }>;
  body(error: { status: number; type: string; message: string }, problem: Problem): unknown;
  /** Bodies beyond the edge get an answer of this shape too, and not the edge's plain text. */
  speaksAtEdge?: boolean;
}

/** What most services say; each names only where it differs. */
export const usualTable: Dialect["table"] = {
  invalid_request: { status: 400, type: "invalid_request" },
  unauthorized: { status: 401, type: "unauthorized" },
  missing_scope: { status: 403, type: "forbidden" },
  plan_restricted: { status: 403, type: "forbidden" },
  model_not_allowed: { status: 403, type: "forbidden" },
  not_found: { status: 404, type: "not_found" },
  model_not_found: { status: 404, type: "not_found" },
  method_not_allowed: { status: 405, type: "method_not_allowed" },
  conflict: { status: 409, type: "conflict" },
  too_large: { status: 413, type: "too_large" },
  unsupported_media_type: { status: 415, type: "unsupported_format" },
  unprocessable_audio: { status: 422, type: "unprocessable_audio" },
  unreadable_document: { status: 422, type: "unreadable_document" },
  rate_limited: { status: 429, type: "rate_limited" },
  insufficient_credits: { status: 402, type: "insufficient_credits" },
  engine_busy: { status: 429, type: "rate_limited" },
  engine_unavailable: { status: 502, type: "upstream_error" },
  engine_rejected: { status: 502, type: "upstream_error" },
  upstream_failed: { status: 502, type: "upstream_error" },
  gateway_unavailable: { status: 502, type: "upstream_error" },
  service_unavailable: { status: 502, type: "upstream_error" },
  storage_down: { status: 503, type: "service_unavailable" },
  request_timeout: { status: 408, type: "request_timeout" },
  dependency_failed: { status: 424, type: "upstream_error" },
  legally_unavailable: { status: 451, type: "unavailable" },
  internal: { status: 500, type: "internal_error" },
};

export interface RenderedProblem {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export function renderProblem(dialect: Dialect, problem: Problem): RenderedProblem {
  const { status, type } = dialect.table[problem.kind];
  const headers: Record<string, string> = {};
  if (problem.retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.max(1, problem.retryAfterSeconds));
  else if (status === 429) headers["retry-after"] = "1";
  if (problem.allow) headers.allow = problem.allow.join(", ");
  return { status, headers, body: dialect.body({ status, type, message: problem.message }, problem) };
}
