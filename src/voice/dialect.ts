import type { Dialect } from "../platform/http/dialect.ts";

/** `{error: {type, message}}` */
export const voiceDialect: Dialect = {
  table: {
    invalid_request: { status: 400, type: "invalid_request" },
    unauthorized: { status: 401, type: "unauthorized" },
    missing_scope: { status: 403, type: "forbidden" },
    plan_restricted: { status: 403, type: "forbidden" },
    not_found: { status: 404, type: "not_found" },
    model_not_found: { status: 400, type: "invalid_request" },
    method_not_allowed: { status: 405, type: "method_not_allowed" },
    conflict: { status: 409, type: "conflict" },
    too_large: { status: 413, type: "too_large" },
    unsupported_media_type: { status: 400, type: "invalid_request" },
    unprocessable_audio: { status: 422, type: "unprocessable_audio" },
    unreadable_document: { status: 422, type: "unprocessable_audio" },
    rate_limited: { status: 429, type: "rate_limited" },
    insufficient_credits: { status: 402, type: "insufficient_credits" },
    engine_busy: { status: 429, type: "rate_limited" },
    engine_unavailable: { status: 502, type: "upstream_error" },
    engine_rejected: { status: 502, type: "upstream_error" },
    upstream_failed: { status: 502, type: "upstream_error" },
    gateway_unavailable: { status: 502, type: "upstream_error" },
    service_unavailable: { status: 502, type: "upstream_error" },
    request_timeout: { status: 408, type: "request_timeout" },
    internal: { status: 500, type: "internal_error" },
  },
  body: ({ type, message }) => ({ error: { type, message } }),
};
