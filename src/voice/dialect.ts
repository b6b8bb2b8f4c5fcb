import { type Dialect, usualTable } from "../platform/http/dialect.ts";

/** `{error: {type, message}}` */
export const voiceDialect: Dialect = {
  table: {
    ...usualTable,
    model_not_found: { status: 400, type: "invalid_request" },
    unsupported_media_type: { status: 400, type: "invalid_request" },
  },
  body: ({ type, message }) => ({ error: { type, message } }),
};
