import type { Dialect as ErrorDialect } from "../../platform/http/dialect.ts";
import { gatewayDialect } from "../dialect.ts";

/** Errors as Anthropic's clients read them, beside what the gateway's own have. */
export const anthropicErrors: ErrorDialect = {
  speaksAtEdge: true,
  table: gatewayDialect.table,
  body: ({ status, message }) => ({
    type: "error",
    error: { type: typeOf(status), message, param: null, code: status },
  }),
};

/** By the table of Anthropic's API reference. */
function typeOf(status: number): string {
  const known: Readonly<Record<number, string>> = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
  };
  return known[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}
