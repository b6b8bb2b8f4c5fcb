import type { IncomingMessage, ServerResponse } from "node:http";
import multipart from "@fastify/multipart";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyContextConfig, type FastifyReply, type FastifyRequest } from "fastify";
import { Problem } from "../errors.ts";
import { countIds } from "../ids.ts";
import { watchReply } from "./after-reply.ts";
import { EdgeLimitError } from "./edge-limit.ts";
import type { HttpApp } from "./http-app.ts";
import { NodeServer } from "./node-server.ts";
import { readJsonBody } from "./read-json.ts";
import { answerPreflights, createHeaderWriter } from "./security-headers.ts";
import { answerUnreadable, refuseAddress, refuseExpectation } from "./unreadable-request.ts";
import { validatorCompiler, type ZodTypeProvider } from "./validate.ts";

export type { HttpApp };

export interface ServerOptions {
  edgeUploadBytes: number;
  corsOrigins: string;
  trustedProxies: string | undefined;
  /** Another address for the same thing. */
  rewriteUrl?(url: string): string;
}

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

/** The edge speaks plain text and answers before anything is known about the caller. The rest of the body is read and
 *  dropped by Node, so that the client can finish sending and see the answer. */
async function refuseLarge(app: HttpApp, request: FastifyRequest, reply: FastifyReply, limit: number): Promise<void> {
  await app.paceRefusal(request);
  reply
    .code(413)
    .type("text/plain; charset=utf-8")
    .send(`Request body over the limit of ${limit / 1e6} MB.\n`);
}

/** A signal costs two listeners, so it is made only for the routes that look at it. */
function decorateSignal(app: HttpApp): void {
  app.decorateRequest("openedSignal", null);
  app.decorateRequest("signal", {
    getter(this: FastifyRequest) {
      if (this.openedSignal) return this.openedSignal;
      const abort = new AbortController();
      const { response } = this;
      const onClose = () => {
        if (!response.writableFinished) abort.abort(new Problem("request_timeout", "The caller hung up."));
      };
      if (response.destroyed) onClose();
      else response.once("close", onClose);
      this.openedSignal = abort.signal;
      return abort.signal;
    },
  });
}
