import type { IncomingMessage, ServerResponse } from "node:http";
import { Transform } from "node:stream";
import multipart from "@fastify/multipart";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyContextConfig, type FastifyReply, type FastifyRequest } from "fastify";
import { Problem } from "../errors.ts";
import { countIds } from "../ids.ts";
import type { Log } from "../log.ts";
import { watchReply } from "./after-reply.ts";
import { BufferBudget, watchUpload } from "./buffer-budget.ts";
import { addressMatcher, limitConnections } from "./connection-limit.ts";
import type { HttpApp } from "./http-app.ts";
import { mostConnections } from "./most-connections.ts";
import { NodeServer } from "./node-server.ts";
import { readJsonBody } from "./read-json.ts";
import { RefusalPace } from "./refusal-pace.ts";
import { answerPreflights, createHeaderWriter } from "./security-headers.ts";
import { endStalledBody } from "./stalled-body.ts";
import { strangerOf } from "./stranger-of.ts";
import { answerUnreadable, refuseAddress, refuseExpectation } from "./unreadable-request.ts";
import { validatorCompiler, type ZodTypeProvider } from "./validate.ts";

export type { HttpApp };

declare module "fastify" {
  interface FastifyRequest {
    /** Aborts when the caller hangs up before the reply is complete. */
    readonly signal: AbortSignal;
    receivedAtMs: number;
    /** What the route declares, and its pattern. Fastify's own `routeOptions` is put together anew each time it is read. */
    routeConfig: FastifyContextConfig & { url?: string };
    /** Where the reply goes; for `signal`. */
    response: Pick<ServerResponse, "destroyed" | "writableFinished"> & {
      once(event: "close", tell: () => void): unknown;
    };
  }
  interface FastifyContextConfig {
    /** The edge's limit where it is not the server's. */
    edgeBytes?: number;
    /** The service answers for bodies beyond it in its own words. */
    speaksAtEdge?: boolean;
  }
  interface FastifyInstance {
    edgeUploadBytes: number;
    /** Tells every client with its next reply to connect anew elsewhere. */
    endSoon(): void;
    /** Resolves when it is time to answer a request that is refused. */
    paceRefusal(request: FastifyRequest): Promise<void> | undefined;
  }
}

export interface ServerOptions {
  edgeUploadBytes: number;
  bufferedBytes: number;
  corsOrigins: string;
  trustedProxies: string | undefined;
  connectionsPerAddress: number;
  /** In all; 0 for what the descriptors allow. */
  connections: number;
  log: Log;
  /** Another address for the same thing. */
  rewriteUrl?(url: string): string;
}

/** Larger bodies share a budget of memory; small ones are not worth the bookkeeping. */
const budgetedFromBytes = 64 * 1024;

/** Slow-loris: headers within 30 s, the whole request within two minutes. */
const wireLimits = {
  headersTimeout: 30_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};

/** The outer shell that all services share: limits, time-outs, request ids, headers. */
export async function createServer(options: ServerOptions): Promise<HttpApp> {
  const proxies = options.trustedProxies?.split(",").map((part) => part.trim()) ?? [];
  const app = Fastify({
    logger: false,
    bodyLimit: options.edgeUploadBytes,
    serverFactory: (listener) => new NodeServer(wireLimits, listener),
    genReqId: readRequestId,
    ...(options.rewriteUrl
      ? { rewriteUrl: (request: IncomingMessage) => options.rewriteUrl!(request.url ?? "/") }
      : {}),
    trustProxy: proxies.length > 0 ? proxies : false,
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable,
    frameworkErrors: refuseAddress as never,
    // Named here rather than set later, so that Fastify does not load its own, which are large. Response schemas are for the
    // API reference; what is sent was typed where it was made.
    schemaController: {
      compilersFactory: {
        buildValidator: () => validatorCompiler as never,
        buildSerializer: () => () => (data) => JSON.stringify(data),
      },
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as HttpApp;
  const server = app.server as NodeServer;
  server.on("checkExpectation", refuseExpectation);
  app.decorate("endSoon", () => {
    server.isEnding = true;
  });
  limitConnections(app.server, {
    most: options.connectionsPerAddress,
    mostInAll: options.connections || mostConnections(),
    isExempt: addressMatcher(proxies),
    log: options.log,
  });
  // Fastify would hand plain text on as a string; here every body is JSON or a form.
  app.removeContentTypeParser("text/plain");
  readJson(app);
  app.decorate("edgeUploadBytes", options.edgeUploadBytes);
  app.decorate("afterReply", []);
  app.decorate("bookkeepers", []);
  app.decorateRequest("isBooked", false);
  app.decorateRequest("receivedAtMs", 0);
  app.decorateRequest("routeConfig", null as unknown as FastifyContextConfig);
  app.decorateRequest("response", null as unknown as ServerResponse);
  decorateSignal(app);
  const writeHeaders = createHeaderWriter(options.corsOrigins);

  // Hooks that every request passes take a callback: a promise each would cost more than what they do. For the same reason
  // there are as few of them as possible.
  app.addHook("onRequest", (request, reply, done) => {
    request.receivedAtMs = performance.now();
    request.routeConfig = request.routeOptions.config;
    request.response = reply.raw;
    watchReply(request, reply);
    reply.header("x-request-id", request.id);
    writeHeaders(request, reply);
    const limit = request.routeConfig.edgeBytes ?? options.edgeUploadBytes;
    if (Number(request.headers["content-length"] ?? 0) <= limit) done();
    else if (request.routeConfig.speaksAtEdge) done(new EdgeLimitError(limit));
    else void refuseLarge(app, request, reply, limit);
  });
  const pace = new RefusalPace();
  app.decorate("paceRefusal", (request) => {
    // A body without a declared length is taken for a megabyte, a guess.
    const bytes = request.headers["transfer-encoding"] === undefined ? request.headers["content-length"] : 1e6;
    return pace.next(holderOf(request), Number(bytes ?? 0));
  });
  const budget = new BufferBudget(options.bufferedBytes);
  app.addHook("preParsing", (request, reply, payload, done) => {
    const declared = request.headers["content-length"];
    const hasBody = declared !== undefined || request.headers["transfer-encoding"] !== undefined;
    const limit = request.routeConfig.edgeBytes ?? options.edgeUploadBytes;
    const size = declared === undefined ? limit : Number(declared);
    if (!hasBody) return done(null, payload);
    if (size < budgetedFromBytes) {
      endStalledBody(request.raw);
      return done(null, payload);
    }
    // A body without a declared length is counted as it comes; forms are counted by their reader.
    const isCounted = declared === undefined && !request.headers["content-type"]?.startsWith("multipart/");
    const upload = budget.open(holderOf(request), (problem) => {
      // The connection stays: a sender whom it were closed upon would never see why.
      if (!reply.sent) reply.send(problem);
    });
    reply.raw.once("close", upload.release);
    endStalledBody(request.raw);
    watchUpload(request.raw, upload);
    if (!upload.isRefused) done(null, isCounted ? payload.pipe(limitBytes(limit)) : payload);
  });
  app.addHook("preValidation", (request, _reply, done) => {
    // No body at all reads as an empty object, so that requests whose every field has a default need none.
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (request.body == null && encoding === undefined && Number(length ?? 0) === 0) request.body = {};
    done();
  });

  answerPreflights(app);
  readMultipart(app);
  await app.register(websocket, {
    // Half a minute of sound in one message.
    options: { maxPayload: 1024 * 1024 },
    // Open sockets learn that the server restarts, and do not hold it up. Slices finalize theirs before this.
    preClose(done) {
      for (const socket of app.websocketServer.clients) socket.close(1012, "server is restarting");
      done();
    },
  });
  return app;
}

/** Fastify's own parser, after a look at what it is given. */
function readJson(app: HttpApp): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, given, done) => {
    const parseText = (text: string) => {
      let body: unknown;
      parse(request, text, (error, value) => {
        if (error) throw error;
        body = value;
      });
      return body;
    };
    readJsonBody(request, given as Buffer, parseText, done);
  });
}

/** The plugin's hooks remove uploads that were saved as files. Here none ever is, and its two promises per request would be a
 *  good part of the whole chain. */
function readMultipart(app: HttpApp): void {
  const withoutHooks = Object.create(app, { addHook: { value: () => withoutHooks } });
  const limits = { fieldSize: 1_000_000, fields: 40, files: 4, parts: 44, headerPairs: 100 };
  multipart(withoutHooks, { throwFileSizeLimit: false, limits }, () => {});
}

const nextRequestId = countIds("req_");

function readRequestId({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  if (typeof given === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(given)) return given;
  return nextRequestId();
}

/** Who shares room and patience: the workspace, or the address of somebody who is not known (yet). */
function holderOf(request: FastifyRequest): string {
  return request.caller?.workspace.id ?? strangerOf(request.ip);
}

/** The edge speaks plain text and answers before anything is known about the caller. The rest of the body is read and
 *  dropped by Node, so that the client can finish sending and see the answer. */
async function refuseLarge(app: HttpApp, request: FastifyRequest, reply: FastifyReply, limit: number): Promise<void> {
  await app.paceRefusal(request);
  reply
    .code(413)
    .type("text/plain; charset=utf-8")
    .send(`Request body over the limit of ${limit / 1e6} MB.\n`);
}

/** Marks a body that outgrew the edge while it was being read, so that it gets the edge's answer too. */
export class EdgeLimitError extends Problem {
  constructor(limit: number) {
    super("too_large", `Request body over the limit of ${limit / 1e6} MB.`);
  }
}

function limitBytes(limit: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > limit) done(new EdgeLimitError(limit));
      else done(null, chunk);
    },
  });
}

/** A signal costs two listeners, so it is made only for the routes that look at it. */
function decorateSignal(app: HttpApp): void {
  const signals = new WeakMap<FastifyRequest, AbortSignal>();
  app.decorateRequest("signal", {
    getter(this: FastifyRequest) {
      const known = signals.get(this);
      if (known) return known;
      const abort = new AbortController();
      const { response } = this;
      const onClose = () => {
        if (!response.writableFinished) abort.abort(new Problem("request_timeout", "The caller hung up."));
      };
      if (response.destroyed) onClose();
      else response.once("close", onClose);
      signals.set(this, abort.signal);
      return abort.signal;
    },
  });
}
