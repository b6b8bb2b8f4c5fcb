import type { Dialect } from "../platform/http/dialect.ts";

/** `{error: {message, type, code}}`, where code repeats the status. OpenAI's own clients also look for `param`. */
export const gatewayDialect: Dialect = {
  table: {
    invalid_request: { status: 400, type: "invalid_request" },
    unauthorized: { status: 401, type: "invalid_api_key" },
    missing_scope: { status: 401, type: "invalid_api_key" },
    plan_restricted: { status: 403, type: "plan_restricted" },
    model_not_allowed: { status: 403, type: "model_not_allowed" },
    not_found: { status: 404, type: "not_found" },
    model_not_found: { status: 404, type: "model_not_found" },
    method_not_allowed: { status: 405, type: "method_not_allowed" },
    conflict: { status: 409, type: "conflict" },
    too_large: { status: 413, type: "invalid_request" },
    unsupported_media_type: { status: 415, type: "invalid_request" },
    unprocessable_audio: { status: 422, type: "invalid_request" },
    unreadable_document: { status: 422, type: "invalid_request" },
    rate_limited: { status: 429, type: "rate_limit_exceeded" },
    insufficient_credits: { status: 402, type: "insufficient_credits" },
    engine_busy: { status: 429, type: "rate_limit_exceeded" },
    engine_unavailable: { status: 503, type: "upstream_error" },
    engine_rejected: { status: 400, type: "invalid_request" },
    upstream_failed: { status: 503, type: "upstream_error" },
    gateway_unavailable: { status: 503, type: "gateway_unavailable" },
    service_unavailable: { status: 503, type: "service_unavailable" },
    storage_down: { status: 503, type: "service_unavailable" },
    request_timeout: { status: 408, type: "invalid_request" },
    dependency_failed: { status: 424, type: "upstream_error" },
    legally_unavailable: { status: 451, type: "invalid_request" },
    internal: { status: 500, type: "internal_error" },
  },
  body: ({ status, type, message }) => ({ error: { message, type, param: null, code: status } }),
};
