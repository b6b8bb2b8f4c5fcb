import type { ApiReference } from "../platform/http/openapi/reference.ts";
import { problem, tokenUsage } from "./fields.ts";
import { persona } from "./personas/schema.ts";

const usage = { input_tokens: 11, output_tokens: 9, cached_tokens: null };
const token = {
  session_id: "rt_4kz81mQe",
  token: "rt1.eyJzIjoicnRfNGt6ODFtUWUifQ.Zm9v",
  expires_in: 60,
  channels: 1,
  format: "pcm_s16le",
} as const;
const hearing = {
  ...token,
  url: "ws://localhost:8080/v1/realtime/stt/stream?token=rt1.eyJzIjoicnRfNGt6ODFtUWUifQ.Zm9v",
  stream_url: "ws://localhost:8080/v1/realtime/stt/stream",
  sample_rate: 16000,
  model: "svc-stt-1",
};
const saved = {
  id: "p_7Yc2hVQm",
  name: "Front desk",
  engine: "engine_a",
  kind: "engine_a",
  baseVoice: "af_heart",
  refText: null,
  durationMs: null,
  tonePreset: "warm",
  styleText: null,
  language: "en-us",
  status: "ready",
  createdAt: "2026-11-17T09:30:00.000Z",
  lastUsedAt: null,
};
const offer = { sdp: "v=0\r\n...", type: "offer" };
const answer = { sdp: "v=0\r\n...", type: "answer", pc_id: "pc_1" };
const candidates = {
  pc_id: "pc_1",
  candidates: [
    { candidate: "candidate:1 1 udp 2122260223 192.0.2.1 54400 typ host", sdp_mid: "0", sdp_mline_index: 0 },
  ],
};
const audio = ["audio/wav", "audio/mpeg", "audio/ogg", "audio/pcm"];

export const voiceReference: ApiReference = {
  guide: `## Keys
Every request carries \`Authorization: Bearer <key>\` (or \`X-API-KEY: <key>\`). A key has scopes; a request outside them is a 403.

| Scope | Routes |
|---|---|
| \`speech\` | /v1/speech, /v1/audio/speech, /v1/personas/preview |
| \`voices\` | /v1/voices, /v1/personas |
| \`transcribe\` | /v1/transcribe, /v1/audio/transcriptions |
| \`translate\` | /v1/translate |
| \`dub\` | /v1/dub |
| \`chat\` | /v1/chat, /v1/embeddings |
| \`realtime\` | /v1/realtime/... |

## Limits
60 requests a minute for each key unless the operator set another limit. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\` are on every reply; a 429 says in \`Retry-After\` how many seconds to wait. Bodies may have 4.5 MB.

## Errors
Every error is \`{"error": {"type": "...", "message": "..."}}\`, and the message says what to do.

| Status | When |
|---|---|
| 400 | a field is missing, too long or not one of the values it may have |
| 401 | the key is missing, unknown, expired or revoked |
| 403 | the key lacks the scope |
| 404 | there is no such persona, session or path |
| 413 | the body is over 4.5 MB (plain text) |
| 422 | the file is not audio, or cannot be decoded |
| 429 | too many requests, or the engines have enough to do |
| 502 | an engine does not answer |

## Sockets
\`POST /v1/realtime/tts\` and \`/v1/realtime/stt...\` answer with a \`url\` that holds a token for one stream. A program on a server
may do without: it connects to \`/v1/realtime/tts/stream\` or \`/v1/realtime/stt/stream\` (\`stt/auto/stream\`, \`stt/lang/stream\`)
with its key as a header and the fields of the mint in the address, such as \`?language=en&encoding=mulaw&sample_rate=8000\`.
What is wrong with them is an HTTP status and the usual error.

| Socket | Direction | Message |
|---|---|---|
| text to speech | to the server | \`{"type": "speak", "text": "..."}\`, \`{"type": "cancel"}\` |
| | from the server | binary frames: mono, 16-bit PCM at 24000 Hz unless the mint said otherwise; \`{"type": "done"}\` after each text |
| speech to text | to the server | binary frames: mono, 16-bit PCM at 16000 Hz unless the mint said otherwise; \`{"type": "flush"}\`; \`{"type": "config", "language": "de"}\` (stt/lang) |
| | from the server | \`{"type": "ready"}\`, \`{"type": "interim", "text", "language"}\`, \`{"type": "final", "text", "language", "utterance", "start_ms", "end_ms", "confidence", "words": [{"word", "start_ms", "end_ms"}]}\` |
| both | both | \`{"type": "keepalive"}\`, answered by the same: without a message for 60 s the socket closes with 4408 |

\`encoding\` at the mint is \`pcm_s16le\`, \`mulaw\`, \`alaw\` or \`opus\` (one packet in each binary frame), \`sample_rate\` 8000 to 48000. The server
sends WebSocket pings every 20 s, so that proxies keep the connection.

A token that is wrong or used closes the socket with 4401. Ignore types that you do not know.

Guides with examples that run are in the folder docs/guides of the program.`,
  tags: {
    Speech: "Text in, audio out.",
    Hearing: "Audio in, text out.",
    Words: "Translation, chat and embeddings.",
    Dubbing: "A recording speaks another language.",
    Personas: "Saved and cloned voices.",
    Streams: "Tokens for sockets that stream speech in either direction.",
    Calls: "Live two-way voice over WebRTC.",
  },
  named: { Problem: problem, TokenUsage: tokenUsage, Persona: persona },
  routes: {
    "POST /v1/speech": {
      id: "createSpeech",
      tag: "Speech",
      description: "Answers with the audio itself. `X-Svc-Duration-Ms` and `X-Svc-Sample-Rate` say how much of it.",
      request: { text: "Hello from your own machine.", language: "en-us", format: "wav" },
      sends: audio,
      isNeverJson: true,
    },
    "GET /v1/voices": {
      id: "listVoices",
      tag: "Speech",
      reply: {
        languages: [
          {
            code: "en-us",
            label: "American English",
            engine: "engine_a",
            voices: [{ id: "af_heart", label: "Heart (female)" }],
            heard: "yes",
            translates: true,
          },
        ],
      },
    },
    "POST /v1/audio/speech": {
      id: "createOpenAiSpeech",
      tag: "Speech",
      request: { model: "tts-1", input: "Hello from your own machine.", voice: "alloy" },
      sends: [...audio, "audio/aac", "audio/flac", "text/event-stream"],
      isNeverJson: true,
    },
    "POST /v1/transcribe": {
      id: "transcribe",
      tag: "Hearing",
      reply: {
        text: "Hello from your own machine.",
        language: "English",
        durationMs: 1840,
        model: "svc-stt-1",
        confidence: 0.93,
        segments: [
          { startMs: 120, endMs: 1760, text: "Hello from your own machine.", language: "English", confidence: 0.97 },
        ],
      },
      sends: ["text/plain", "text/vtt", "application/x-subrip"],
      also: [422],
    },
    "POST /v1/audio/transcriptions": {
      id: "createOpenAiTranscription",
      tag: "Hearing",
      reply: { text: "Hello from your own machine." },
      sends: ["text/plain", "text/vtt", "application/x-subrip", "text/event-stream"],
      also: [422],
    },
    "POST /v1/translate": {
      id: "translate",
      tag: "Words",
      request: { text: "Where is the station?", target_language: "es" },
      reply: {
        source: "Where is the station?",
        translation: "¿Dónde está la estación?",
        sourceLanguage: "English",
        targetLanguage: "Spanish",
        targetLanguageCode: "es",
        model: "svc-translate-1",
        usage,
      },
    },
    "POST /v1/chat": {
      id: "chat",
      tag: "Words",
      request: { message: "What is the capital of France?" },
      reply: { reply: "The capital of France is Paris.", model: "svc-chat-1", usage },
      sends: ["text/event-stream"],
    },
    "POST /v1/embeddings": {
      id: "embed",
      tag: "Words",
      request: { input: ["a cat", "a kitten", "an invoice"] },
      reply: {
        embeddings: [[0.013, -0.042, 0.07]],
        dimensions: 384,
        model: "svc-embed-1",
        usage: { input_tokens: 9 },
      },
    },
    "POST /v1/dub": {
      id: "dub",
      tag: "Dubbing",
      description:
        "With `Accept: text/event-stream` progress comes as events and the reply as the last one. With `output=subtitles` the reply is a subtitle file.",
      sends: ["text/event-stream", "application/x-subrip", "text/vtt"],
    },
    "POST /v1/personas": {
      id: "createPersona",
      tag: "Personas",
      description: "JSON bundles a voice of the catalog; a form with a recording clones the voice that speaks in it.",
      request: { name: "Front desk", base_voice: "af_heart", tone_preset: "warm" },
      reply: { persona: saved },
    },
    "POST /v1/personas/preview": {
      id: "previewClone",
      tag: "Personas",
      description:
        "Answers with the audio itself, spoken with the voice of the recording, cloned for this request only. A saved persona takes longer to build and comes nearer.",
      sends: audio,
      isNeverJson: true,
    },
    "GET /v1/personas": { id: "listPersonas", tag: "Personas", reply: { personas: [saved], nextCursor: null } },
    "GET /v1/personas/{id}": { id: "getPersona", tag: "Personas", reply: { persona: saved } },
    "PATCH /v1/personas/{id}": {
      id: "changePersona",
      tag: "Personas",
      request: { tone_preset: "calm" },
      reply: { persona: { ...saved, tonePreset: "calm" } },
    },
    "DELETE /v1/personas/{id}": {
      id: "deletePersona",
      tag: "Personas",
      reply: { id: saved.id, deleted: true },
    },
    "POST /v1/realtime/tts": {
      id: "openSpeechStream",
      tag: "Streams",
      request: { language: "en-us", ttl_seconds: 60 },
      reply: {
        ...hearing,
        url: "ws://localhost:8080/v1/realtime/tts/stream?token=rt1.eyJzIjoicnRfNGt6ODFtUWUifQ.Zm9v",
        stream_url: "ws://localhost:8080/v1/realtime/tts/stream",
        sample_rate: 24000,
        model: "svc-tts-1",
      },
    },
    "POST /v1/realtime/stt": {
      id: "openHearingStream",
      tag: "Streams",
      request: { ttl_seconds: 60 },
      reply: hearing,
    },
    "POST /v1/realtime/stt/auto": {
      id: "openDetectingStream",
      tag: "Streams",
      request: { ttl_seconds: 60 },
      reply: { ...hearing, interim: true, auto_detect: true },
    },
    "POST /v1/realtime/stt/lang": {
      id: "openPinnedStream",
      tag: "Streams",
      request: { language: "es", ttl_seconds: 60 },
      reply: { ...hearing, interim: true, auto_detect: false, settings: { language: "es" } },
    },
    "POST /v1/realtime/session": {
      id: "openCall",
      tag: "Calls",
      description: "The reply can be handed to a Pipecat client's `connect()` as it is.",
      request: { mode: "assistant", language: "en-us" },
      reply: {
        session_id: token.session_id,
        token: token.token,
        expires_at: "2026-11-17T09:31:00.000Z",
        expires_in: 60,
        url: "http://localhost:8080/v1/realtime/session/rt_4kz81mQe/offer?token=rt1.eyJzIjoicnRfNGt6ODFtUWUifQ.Zm9v",
        ice_servers: [{ urls: "stun:stun.example.org:3478" }],
        settings: { voice: "af_heart", language: "en-us" },
        model: "svc-realtime-1",
        webrtcRequestParams: {
          endpoint:
            "http://localhost:8080/v1/realtime/session/rt_4kz81mQe/offer?token=rt1.eyJzIjoicnRfNGt6ODFtUWUifQ.Zm9v",
        },
        iceConfig: { iceServers: [{ urls: "stun:stun.example.org:3478" }] },
      },
    },
    "POST /v1/realtime/session/{session}/offer": { id: "offerCall", tag: "Calls", request: offer, reply: answer },
    "PATCH /v1/realtime/session/{session}/offer": {
      id: "addCandidates",
      tag: "Calls",
      request: candidates,
      reply: { status: "success" },
    },
    "POST /v1/realtime/session/offer": {
      id: "offerCallByToken",
      tag: "Calls",
      description: "The same without the session in the path, for clients that know only one address.",
      request: offer,
      reply: answer,
    },
    "PATCH /v1/realtime/session/offer": {
      id: "addCandidatesByToken",
      tag: "Calls",
      request: candidates,
      reply: { status: "success" },
    },
  },
};
