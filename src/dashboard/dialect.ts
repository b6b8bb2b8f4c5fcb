import { type Dialect, usualTable } from "../platform/http/dialect.ts";
import type { Refusal } from "./contract/route.ts";

/** How the dashboard's API refuses: one shape, with the field of the form where there is one. */
export const dashboardDialect: Dialect = {
  table: usualTable,
  body({ type, message }, { reason, field, retryAfterSeconds }): Refusal {
    return {
      error: {
        code: reason ?? type,
        message,
        ...(field ? { field } : {}),
        ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
      },
    };
  },
};
