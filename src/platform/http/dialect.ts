import type { Problem, ProblemKind } from "../errors.ts";

/** How one service says that something went wrong. */
export interface Dialect {
  /** Status and `type` for each kind of problem. */
  table: Record<ProblemKind, { status: number; type: string }>;
  body(error: { status: number; type: string; message: string }): unknown;
}

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
  return { status, headers, body: dialect.body({ status, type, message: problem.message }) };
}
