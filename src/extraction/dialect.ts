import { type Dialect, usualTable } from "../platform/http/dialect.ts";

/** `{error: {type, message}}` */
export const extractionDialect: Dialect = {
  table: { ...usualTable, too_large: { status: 413, type: "file_too_large" } },
  body: ({ type, message }) => ({ error: { type, message } }),
  speaksAtEdge: true,
};
