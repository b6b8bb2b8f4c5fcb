import type { ProblemKind } from "../platform/errors.ts";
import type { ApiReference } from "../platform/http/openapi/reference.ts";
import { gatewayDialect } from "./dialect.ts";
import { problem } from "./fields.ts";

const model = "openai/gpt-4o-mini";
const job = { id: "vid_2mQx", object: "video.generation", status: "queued" };

const logged = {
  id: "gr_2mQx7",
  created_at: "2026-11-17T12:00:00.000Z",
  key_id: "key_1",
  tag: "support-bot",
  endpoint: "chat/completions",
  model,
  provider: "openai",
  input_tokens: 120,
  output_tokens: 34,
  cost_usd: 0.00038,
  svc_cost_usd: 0.000456,
  cost_source: "measured",
};

/** When the gateway says what; status and type are those of its dialect. */
const errors: Partial<Record<ProblemKind, string>> = {
  invalid_request: "the request is malformed, or no model takes it as it is",
  unauthorized: "the key is missing, unknown, expired or revoked",
  missing_scope: "the key lacks the scope",
  insufficient_credits:
    "the balance, or the key's limit of a day or a month, does not cover what the request may cost; with `Retry-After` where running requests reserve what is missing",
  plan_restricted: "the workspace's plan does not include the gateway",
  model_not_allowed: "the key may not use this model",
  not_found: "there is nothing at this address, or no such request or video",
  model_not_found: "there is no such model",
  method_not_allowed: "the address has no such method",
  request_timeout: "the body did not come in time",
  conflict: "the Idempotency-Key belongs to another request, or to one that is still running",
  too_large: "the body is larger than allowed, or the input longer than the model takes",
  unsupported_media_type: "the model does not take this kind of file",
  unprocessable_audio: "the file cannot be processed",
  dependency_failed: "the model's provider failed",
  rate_limited: "too many requests or tokens a minute, here or at every upstream",
  legally_unavailable: "the model is not offered here for legal reasons",
  internal: "something went wrong on our side",
  upstream_failed: "no upstream serves the request",
  gateway_unavailable: "no upstream is configured for the model, or its account is not in order",
  service_unavailable: "the model or the service is not offered here, or the server cannot write down what it does",
};

function errorTable(): string {
  const rows = Object.entries(errors).map(([kind, when]) => ({ ...gatewayDialect.table[kind as ProblemKind], when }));
  const lines = rows.sort((one, other) => one.status - other.status);
  return ["| Status | type | When |", "|---|---|---|"]
    .concat(lines.map(({ status, type, when }) => `| ${status} | ${type} | ${when} |`))
    .join("\n");
}

export const gatewayReference: ApiReference = {
  guide: `Point any OpenAI client here: set its base address to the one above and its key to yours. Models are named
\`provider/model\`; those of this machine are \`local/...\`.

## Keys
\`Authorization: Bearer <key>\` with the scope \`gateway:read\`, in a workspace whose plan is PLUS, PRO or ENTERPRISE.

## Credits
A request holds what it may cost at most, is charged what it did cost once it is over, and gives the rest back. What is
beyond the balance is a 402. \`GET /credits\` and \`GET /report\` say where the money went.

## Limits
Requests a minute for each key, as the operator set them; \`X-RateLimit-*\` is on every reply and \`Retry-After\` on a 429.
Bodies may have 25 MB.

## Errors
Every error is OpenAI's shape: \`{"error": {"message", "type", "param", "code"}}\`.

${errorTable()}`,
  tags: {
    Models: "What can be asked, with prices.",
    Text: "Chat completions, responses, messages, embeddings, reranking.",
    Media: "Images, video, speech and transcription.",
    Money: "Balance and spend.",
  },
  named: { Problem: problem },
  routes: {
    "GET /models": {
      id: "listModels",
      tag: "Models",
      reply: { object: "list", data: [{ id: model }], total_count: 1, links: { next: null } },
    },
    "GET /models/{path}": {
      id: "getModel",
      tag: "Models",
      description: "The id holds a slash; send it as it is or escaped.",
      reply: { id: model },
    },
    "POST /chat/completions": {
      id: "createChatCompletion",
      tag: "Text",
      request: { model: "local/tinyllama-1.1b-chat", messages: [{ role: "user", content: "Say hello." }] },
      reply: {
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 1700000000,
        model: "local/tinyllama-1.1b-chat",
        choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
      },
      sends: ["text/event-stream"],
    },
    "POST /completions": {
      id: "createCompletion",
      tag: "Text",
      request: { model: "local/tinyllama-1.1b-chat", prompt: "Say hello.", max_tokens: 20 },
      reply: { id: "cmpl-1" },
      sends: ["text/event-stream"],
    },
    "POST /moderations": {
      id: "createModeration",
      tag: "Text",
      request: { model: "openai/omni-moderation-latest", input: "Hello." },
      reply: { id: "modr_1", results: [{ flagged: false }] },
    },
    "POST /responses": {
      id: "createResponse",
      tag: "Text",
      request: { model, input: "Say hello." },
      reply: { id: "resp_1" },
      sends: ["text/event-stream"],
    },
    "POST /messages": {
      id: "createMessage",
      tag: "Text",
      request: { model: "anthropic/claude-sonnet-4", max_tokens: 100, messages: [{ role: "user", content: "Hi." }] },
      reply: { id: "msg_1" },
      sends: ["text/event-stream"],
    },
    "POST /ai/language-model": {
      id: "generateWithAiSdk",
      tag: "Text",
      request: { prompt: [{ role: "user", content: [{ type: "text", text: "Say hello." }] }] },
      reply: { content: [{ type: "text", text: "Hello!" }], finishReason: { unified: "stop", raw: "stop" } },
      sends: ["text/event-stream"],
    },
    "POST /ai/embedding-model": {
      id: "embedWithAiSdk",
      tag: "Text",
      request: { values: ["a cat", "a kitten"] },
      reply: { embeddings: [[0.013, -0.042]], usage: { tokens: 6 } },
    },
    "POST /ai/image-model": {
      id: "aiSdkImageModel",
      tag: "Media",
      request: { prompt: "A lighthouse at dusk", n: 1, size: "1024x1024" },
      reply: { images: ["aGVsbG8="], warnings: [] },
    },
    "GET /ai/config": {
      id: "listModelsForAiSdk",
      tag: "Models",
      reply: { models: [{ id: "local/kokoro-82m", name: "Parlance speech" }] },
    },
    "POST /embeddings": {
      id: "createEmbedding",
      tag: "Text",
      request: { model: "local/bge-small-en-v1.5", input: ["a cat", "a kitten"] },
      reply: {
        object: "list",
        data: [{ object: "embedding", index: 0, embedding: [0.013, -0.042] }],
        model: "local/bge-small-en-v1.5",
        usage: { prompt_tokens: 6, total_tokens: 6 },
      },
    },
    "POST /rerank": {
      id: "rerank",
      tag: "Text",
      request: { model: "local/bge-small-en-v1.5", query: "pets", documents: ["a cat", "an invoice"] },
      reply: { results: [{ index: 0, relevance_score: 0.81 }], usage: { total_tokens: 9 } },
    },
    "POST /images/generations": {
      id: "createImage",
      tag: "Media",
      request: { model: "openai/gpt-image-1", prompt: "A lighthouse at dusk", size: "1024x1024" },
      reply: { created: 1700000000, data: [{ b64_json: "iVBORw0KGgo..." }] },
    },
    "POST /images/edits": {
      id: "editImage",
      tag: "Media",
      reply: { created: 1700000000, data: [{ b64_json: "iVBORw0KGgo..." }] },
    },
    "POST /audio/speech": {
      id: "createSpeech",
      tag: "Media",
      request: { model: "local/kokoro-82m", input: "Hello.", voice: "af_heart" },
      sends: ["audio/mpeg", "audio/wav", "audio/ogg", "audio/aac", "audio/flac", "audio/pcm"],
      isNeverJson: true,
    },
    "POST /audio/transcriptions": {
      id: "createTranscription",
      tag: "Media",
      reply: { text: "Hello." },
      sends: ["text/plain", "text/vtt", "application/x-subrip"],
    },
    "POST /audio/translations": {
      id: "createTranslation",
      tag: "Media",
      reply: { text: "Hello." },
      sends: ["text/plain", "text/vtt", "application/x-subrip"],
    },
    "POST /videos/generations": {
      id: "createVideo",
      tag: "Media",
      description: "Waits for the video and answers with events, or with `Prefer: respond-async` at once with a job.",
      request: { model: "google/veo-3", prompt: "Waves on a beach", duration: 4 },
      reply: job,
      sends: ["text/event-stream"],
    },
    "GET /videos/generations/{id}": { id: "getVideo", tag: "Media", reply: { ...job, status: "completed" } },
    "POST /realtime/token": {
      id: "createRealtimeToken",
      tag: "Media",
      request: { model: "openai/gpt-realtime" },
      reply: {
        token: "ek_1",
        url: "wss://gateway.example.org/v1/realtime",
        model: "openai/gpt-realtime",
        expires_at: 1700000600,
        session_id: "sess_1",
      },
    },
    "GET /credits": {
      id: "getCredits",
      tag: "Money",
      reply: {
        object: "credits",
        balance: "12.500000",
        lifetime_spend: "3.141592",
        total_used: "3.141592",
        data: { total_credits: 15.64, total_usage: 3.1 },
      },
    },
    "GET /key": {
      id: "getKey",
      tag: "Money",
      reply: {
        data: {
          label: "support bot",
          limit: 20,
          limit_remaining: 16.5,
          limit_reset: "monthly",
          usage: 9.42,
          usage_daily: 0.5,
          usage_weekly: 2.1,
          usage_monthly: 3.5,
          expires_at: null,
          rate_limit: { requests: 600, interval: "1m", note: "Requests of this key in a minute." },
          workspace_id: "ws_1",
        },
      },
    },
    "POST /messages/count_tokens": {
      id: "countMessageTokens",
      tag: "Text",
      request: { model, messages: [{ role: "user", content: "Say hello." }] },
      reply: { input_tokens: 9 },
    },
    "GET /generation": { id: "getGeneration", tag: "Money", reply: { data: logged } },
    "GET /requests": { id: "listRequests", tag: "Money", reply: { object: "list", data: [logged], next_cursor: null } },
    "GET /report": {
      id: "getReport",
      tag: "Money",
      reply: {
        object: "report",
        group_by: "day",
        data: [
          {
            period: "2026-11-17",
            model,
            provider: "openai",
            input_tokens: 1200,
            output_tokens: 340,
            cost_usd: 0.00038,
            svc_cost_usd: 0.00042,
            requests: 7,
          },
        ],
        totals: { input_tokens: 1200, output_tokens: 340, cost_usd: 0.00038, svc_cost_usd: 0.00042, requests: 7 },
      },
    },
  },
};
