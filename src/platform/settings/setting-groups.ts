import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { packageRoot } from "../package-root.ts";
import { engineSettings } from "./engine-settings.ts";
import {
  byteSize,
  duration,
  flag,
  httpAddress,
  iceAddresses,
  integer,
  listOf,
  oneOf,
  optionalText,
  setting,
  text,
} from "./setting.ts";

/** Every setting of the platform, grouped by concern. `--help` and `.env.example` are made from this list. */
export const settingGroups = {
  server: {
    port: setting("SVC_PORT", "8080", integer(0, 65535), "Port to listen on. 0 takes any free one."),
    host: setting("SVC_HOST", "127.0.0.1", text, "Address to listen on. 0.0.0.0 lets other machines in."),
    metricsPort: setting(
      "SVC_METRICS_PORT",
      "0",
      integer(0, 65535),
      "A port of their own for /metrics, /readyz and /healthz, which probes and Prometheus use and nothing publishes. 0: none.",
    ),
    metricsToken: setting(
      "SVC_METRICS_TOKEN",
      "",
      (value) => {
        if (value !== "" && !/^\S{16,}$/.test(value)) throw new Error("must have at least 16 characters and no blanks");
        return value || undefined;
      },
      "The bearer token with which /metrics and /readyz also answer on SVC_PORT to callers from elsewhere.",
      true,
    ),
    services: setting(
      "SVC_SERVICES",
      "voice,gateway,extraction,dashboard",
      listOf("voice", "gateway", "extraction", "dashboard"),
      "Which services this process serves. One alone also sits at the root of its port.",
    ),
    publicUrl: setting(
      "SVC_PUBLIC_URL",
      "",
      httpAddress(),
      "The address by which clients reach this server; goes into the url fields of replies. Default: http://localhost:PORT",
    ),
    drainMs: setting(
      "SVC_DRAIN",
      "0",
      duration,
      "How long the server goes on serving after SIGTERM while /readyz says draining, so that load balancers take it out first.",
    ),
    shutdownMs: setting("SVC_SHUTDOWN", "10s", duration, "How long running requests may take to finish after SIGTERM."),
    corsOrigins: setting("SVC_CORS_ORIGINS", "*", text, "Web origins that may call the APIs, separated by commas."),
    trustedProxies: setting(
      "SVC_TRUSTED_PROXIES",
      "",
      optionalText,
      "Addresses of reverse proxies whose X-Forwarded-* headers are believed, separated by commas.",
    ),
  },
  storage: {
    dataDir: setting(
      "SVC_DATA_DIR",
      "",
      (value) => resolve(packageRoot(), value || "data"),
      "Folder for the embedded database and for files. Default: the folder data of this installation. A relative path counts from this installation's folder.",
    ),
    databaseUrl: setting(
      "SVC_DATABASE_URL",
      "",
      (value) => {
        if (value !== "" && !/^(file:|postgres(ql)?:\/\/)/.test(value)) {
          throw new Error("must begin with file: or postgres://");
        }
        return value || undefined;
      },
      "file:PATH for the embedded database (default: file:DATA_DIR/db) or postgres://user:password@host/name. Of several hosts, separated by commas, the one that takes writes is used.",
      true,
    ),
    masterKey: setting(
      "SVC_MASTER_KEY",
      "",
      (value) => {
        if (value !== "" && value.length < 32) throw new Error("must have at least 32 characters");
        return value || undefined;
      },
      "Protects stored secrets and what servers tell each other of data keys: the same on all of them, at least 32 characters (openssl rand -base64 32). Needed where SVC_BUS_URL is nats://; default: a file of the data folder.",
      true,
    ),
    requestsMs: setting(
      "SVC_REQUESTS_RETENTION",
      "400d",
      duration,
      "How long records of requests and the audit log are kept; what a day came to stays. 0 keeps them.",
    ),
    jobsMs: setting(
      "SVC_JOBS_RETENTION",
      "7d",
      duration,
      "How long finished jobs and revoked or expired keys of the playground are kept. 0 keeps them.",
    ),
    modelsDir: setting(
      "SVC_MODELS_DIR",
      "",
      (value) => (value ? resolve(packageRoot(), value) : defaultModelsDir()),
      "Folder for model files, shared between checkouts. Default: the user's cache folder.",
    ),
    modelLicenses: setting(
      "SVC_MODEL_LICENSES",
      "all",
      oneOf("all", "permissive"),
      "permissive leaves out models whose licence restricts their use.",
    ),
    pullsModels: setting("SVC_MODELS_PULL", "1", flag, "Whether serve fetches missing default models by itself."),
  },
  cluster: {
    busUrl: setting(
      "SVC_BUS_URL",
      "memory:",
      (value) => {
        const isNats = value.split(",").every((part) => /^(nats|tls):\/\/[^\s/]+\/?$/.test(part.trim()));
        if (value !== "memory:" && !isNats) throw new Error("must be memory: or nats://host:4222");
        return value;
      },
      "memory: for one process, or nats://user:password@host:4222 (several, separated by commas) to work together with other nodes and with workers.",
      true,
    ),
    busName: setting(
      "SVC_BUS_NAME",
      "parlance",
      (value) => {
        if (!/^[A-Za-z0-9_-]+$/.test(value)) throw new Error("must be letters, digits, - and _");
        return value;
      },
      "First word of every subject on the bus, so that several installations can share one NATS server.",
    ),
    sharesRate: setting(
      "SVC_RATE_SHARED",
      "0",
      flag,
      "1 counts the rate limits of a key over all nodes, with one short query to PostgreSQL for each request. 0 counts them on each node.",
    ),
  },
  limits: {
    voicePerMinute: setting("SVC_RATE_PER_MINUTE", "60", integer(1, 1e6), "Voice platform requests a minute per key."),
    gatewayPerMinute: setting(
      "SVC_GATEWAY_RATE_PER_MINUTE",
      "600",
      integer(1, 1e6),
      "Gateway requests a minute per key.",
    ),
    enterprisePerHour: setting(
      "SVC_EXTRACTION_ENTERPRISE_PER_HOUR",
      "5000",
      integer(1, 1e7),
      "Extraction requests an hour on the Enterprise plan, unless the workspace has its own number.",
    ),
    edgeUploadBytes: setting(
      "SVC_EDGE_UPLOAD_LIMIT",
      "4.5MB",
      byteSize,
      "Request bodies to the voice platform over this are answered 413 at the edge. Raise it up to 25MB to use the full upload limit of the routes.",
    ),
    connections: setting(
      "SVC_CONNECTIONS",
      "0",
      integer(0, 1e6),
      "Connections that may be open at once in all. 0 takes half as many as the process may have descriptors, and at most 50000.",
    ),
    connectionsPerAddress: setting(
      "SVC_CONNECTIONS_PER_ADDRESS",
      "512",
      integer(1, 1e6),
      "Connections that one client address, or one IPv6 network (/64), may have open at once. Addresses of SVC_TRUSTED_PROXIES are exempt.",
    ),
    bufferedBytes: setting(
      "SVC_BUFFERED_BYTES",
      "256MB",
      byteSize,
      "Upload bytes held in memory at once, over all requests. When they are full, the slowest bodies are answered 429.",
    ),
  },
  log: {
    level: setting("SVC_LOG_LEVEL", "info", oneOf("debug", "info", "warn", "error", "silent"), "How much is logged."),
    format: setting(
      "SVC_LOG_FORMAT",
      "auto",
      oneOf("auto", "pretty", "json"),
      "pretty lines for people, json for machines; auto: pretty at a terminal.",
    ),
    keepsTranscripts: setting(
      "SVC_LOG_TRANSCRIPTS",
      "1",
      flag,
      "0 replaces spoken and written words in the logs by a character count.",
    ),
    otlpUrl: setting("SVC_OTLP_URL", "", httpAddress(), "OpenTelemetry collector (OTLP over HTTP, JSON) for traces."),
  },
  engines: engineSettings,
  calls: {
    mediaAddress: setting(
      "SVC_MEDIA_ADDRESS",
      "",
      optionalText,
      "The IP address at which callers reach this machine's media, when it is not one of its own: behind NAT, in Docker, in a cloud.",
    ),
    mediaPort: setting(
      "SVC_MEDIA_PORT",
      "0",
      integer(0, 65535),
      "One UDP port for the media of all calls, to open in firewalls. 0 takes another one for each call.",
    ),
    mediaBind: setting(
      "SVC_MEDIA_BIND",
      "",
      optionalText,
      "Address that media binds to. Default: all of this machine.",
    ),
    turnUrls: setting(
      "SVC_TURN_URLS",
      "",
      iceAddresses,
      "STUN and TURN servers for callers and for this server, separated by commas: stun:host:3478,turn:host:3478?transport=udp",
    ),
    turnSecret: setting(
      "SVC_TURN_SECRET",
      "",
      optionalText,
      "The secret shared with the TURN servers (coturn: static-auth-secret), from which credentials are made.",
      true,
    ),
    most: setting(
      "SVC_CALLS_MOST",
      "0",
      integer(0, 100_000),
      "Calls that this node takes at once. 0 takes as many as it can keep up with.",
    ),
  },
  gateway: {
    upstreamUrl: setting(
      "SVC_GATEWAY_UPSTREAM_URL",
      "",
      optionalText,
      "Base address of the upstream gateway, with /v1. Several, separated by commas, are tried in order.",
    ),
    upstreamKey: setting("SVC_GATEWAY_UPSTREAM_KEY", "", optionalText, "Its API key (several: same order).", true),
    upstreamKind: setting(
      "SVC_GATEWAY_UPSTREAM_KIND",
      "",
      optionalText,
      "vercel, openrouter, litellm or openai (several: same order). Default: judged by the address, else openai.",
    ),
    upstreamName: setting(
      "SVC_GATEWAY_UPSTREAM_NAME",
      "",
      optionalText,
      "What callers read in X-Svc-Served-By about it (several: same order). Default: upstream-1, upstream-2, ...",
    ),
    upstreamModels: setting(
      "SVC_GATEWAY_UPSTREAM_MODELS",
      "",
      optionalText,
      'Models that it serves besides those it lists, as patterns with spaces between: "acme/* large" (several: same order).',
    ),
    silenceMs: setting(
      "SVC_GATEWAY_SILENCE",
      "15m",
      duration,
      "How long an upstream may be silent, before its reply and within it, until it counts as failed.",
    ),
    firstByteMs: setting(
      "SVC_GATEWAY_FIRST_BYTE",
      "30s",
      duration,
      "How long an upstream may take to begin a stream until another one that is free is asked. Less where it usually takes less.",
    ),
    firstTokenMs: setting("SVC_GATEWAY_FIRST_TOKEN", "60s", duration, "The same for the first word of the model."),
    pingMs: setting(
      "SVC_GATEWAY_PING",
      "15s",
      duration,
      "How long a stream may be silent until the client gets a comment that keeps proxies awake.",
    ),
    unpriced: setting(
      "SVC_GATEWAY_UNPRICED",
      "allow",
      oneOf("allow", "refuse"),
      "Whether models are served whose price the upstream's catalog does not tell. They are free when the upstream reports no cost either.",
    ),
    usageCost: setting(
      "SVC_GATEWAY_USAGE_COST",
      "asked",
      oneOf("asked", "always"),
      "Whether `cost` is added to every `usage` in which the upstream tells none, or only for requests with `X-Svc-Usage-Cost: 1`.",
    ),
    aliases: setting(
      "SVC_GATEWAY_ALIASES",
      "",
      optionalText,
      'Names of your own for models: "fast=acme/small*3|other/small; smart=acme/large". The first is asked, by weight where there are any, then the others.',
    ),
    sessionCost: setting(
      "SVC_GATEWAY_SESSION_COST",
      "0.10",
      (value) => {
        if (!/^\d+(\.\d+)?$/.test(value)) throw new Error("must be an amount in USD such as 0.10");
        return value;
      },
      "What one realtime token costs, in USD before the markup, where the catalog has no session price: sessions do not pass through here and cannot be metered.",
    ),
  },
  extraction: {
    retentionMs: setting(
      "SVC_EXTRACTION_RETENTION",
      "30d",
      duration,
      "How long extracted documents are kept. 0 keeps them.",
    ),
    storedBytes: setting(
      "SVC_EXTRACTION_STORED",
      "5GB",
      byteSize,
      "Documents and results that one workspace may keep. Beyond it documents, readings and corrections are refused with 413 until some are deleted.",
    ),
    llm: setting(
      "SVC_EXTRACTION_LLM",
      "",
      optionalText,
      "openai:http://host/v1#model: a language model that fills fields the rules did not find.",
    ),
    allowsPrivateWebhooks: setting(
      "SVC_WEBHOOKS_PRIVATE",
      "0",
      flag,
      "1 lets webhooks call private and loopback addresses.",
    ),
  },
} as const;

function defaultModelsDir(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "parlance", "models");
}
