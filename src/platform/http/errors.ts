import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { Problem } from "../errors.ts";
import type { Log } from "../log.ts";
import { withoutSecrets } from "../log.ts";
import type { HttpApp } from "./create-server.ts";
import { type Dialect, renderProblem } from "./dialect.ts";
import { EdgeLimitError } from "./edge-limit.ts";
import { endStalledBody } from "./stalled-body.ts";
import { toProblem } from "./to-problem.ts";

/** Everything thrown in the routes of `app` leaves it in the service's own dialect; so do unknown paths, and known ones called
 *  by a method they do not have (405 with Allow). To be called before routes are added. */
export function speakDialect(app: HttpApp, dialect: Dialect, log: Log): void {
  const methodsOf = watchMethods(app);
  // Before the body is read: it is of no interest, and could only fail differently.
  app.addHook("onRequest", (request, _reply, done) => {
    if (!request.is404) return done();
    const allow = methodsOf(request.url.split("?")[0]!);
    if (allow.length === 0) return done(nothingAt(app, request));
    const message = `${request.method} is not allowed here. Allowed: ${allow.join(", ")}.`;
    done(new Problem("method_not_allowed", message, { allow }));
  });
  app.setErrorHandler(async (error, request, reply) => {
    const limit = request.routeConfig.edgeBytes ?? app.edgeUploadBytes;
    const isTooLong = !(error instanceof EdgeLimitError) && (await outgrowsEdge(request.raw, limit));
    const spoken = request.routeConfig.dialect ?? dialect;
    const problem = toProblem(isTooLong ? new EdgeLimitError(limit) : forForms(request, error));
    if (isTheirDoing(spoken, problem)) await app.paceRefusal(request);
    sendProblem(reply, request, spoken, problem, log);
    return reply;
  });
  app.setNotFoundHandler(async (request, reply) => {
    await app.paceRefusal(request);
    sendProblem(reply, request, dialect, nothingAt(app, request), log);
    return reply;
  });
}

/** Whether the caller could have known better: neither a failure nor an engine that others keep busy. */
function isTheirDoing({ table }: Dialect, { kind }: Problem): boolean {
  return table[kind].status < 500 && kind !== "engine_busy";
}

/** A route for files tells how to send one, and not how other routes are spoken to. */
function forForms({ routeConfig }: FastifyRequest, error: unknown): unknown {
  const isType = (error as { code?: string }).code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
  return isType && routeConfig.form ? new Problem("invalid_request", "Send the fields as multipart/form-data.") : error;
}

/** Whether a body of undeclared length, refused before it was read, is beyond the edge as well: the edge's answer comes first,
 *  whoever asks. The bytes are counted and dropped. */
async function outgrowsEdge(request: IncomingMessage, limit: number): Promise<boolean> {
  const isUnread = request.headers["transfer-encoding"] !== undefined && !request.complete && !request.destroyed;
  if (!isUnread || request.readableFlowing !== null) return false;
  endStalledBody(request);
  let seen = 0;
  await new Promise<void>((resolve) => {
    request.on("data", (chunk: Buffer) => {
      seen += chunk.length;
      if (seen > limit) resolve();
    });
    request
      .once("close", resolve)
      .once("end", resolve)
      .once("error", () => resolve());
  });
  return seen > limit;
}

/** Says where the caller may have wanted to go: most often only the base address is wrong. */
function nothingAt(app: HttpApp, { method, url }: FastifyRequest): Problem {
  const path = withoutSecrets(url).split("?")[0]!;
  const rest = path.replace(/^(\/(gateway|extraction|api|v1)(?=\/))+/, "");
  const found = ["/v1", "/gateway/v1", "/extraction/v1"]
    .map((base) => base + rest)
    .find((candidate) => candidate !== path && app.hasRoute({ method: method as HTTPMethods, url: candidate }));
  const hint = found ? ` Did you mean ${found}?` : "";
  return new Problem("not_found", `There is nothing at ${method} ${path}.${hint}`);
}

function sendProblem(reply: FastifyReply, request: FastifyRequest, dialect: Dialect, error: unknown, log: Log): void {
  const problem = toProblem(error);
  const { status, headers, body } = renderProblem(dialect, problem);
  if (status >= 500) {
    const cause = problem.cause instanceof Error ? problem.cause : problem;
    log.error({ requestId: request.id, kind: problem.kind, ...describeCause(cause) }, "request failed");
  }
  // The caller has hung up; there is nobody left to tell.
  if (reply.raw.destroyed) return;
  if (error instanceof EdgeLimitError && !dialect.speaksAtEdge) {
    reply.code(413).type("text/plain; charset=utf-8").send(`${error.message}\n`);
    return;
  }
  reply.code(status).headers(headers).type("application/json; charset=utf-8").send(body);
}

/** What could not be parsed is repeated in the words of the parser, and may be anybody's. */
function describeCause({ name, message, stack = "" }: Error): { error: string; stack: string } {
  if (name !== "SyntaxError") return { error: message, stack };
  return { error: name, stack: stack.slice(stack.indexOf("\n    at ")).trimStart() };
}

/** Which methods the paths know of the routes that are added from now on. A route for each method that is refused would say
 *  the same, but most routes would then be refusals, and each takes its time when the server starts. */
function watchMethods(app: HttpApp): (path: string) => string[] {
  const allowed = new Map<string, { pattern: RegExp; names: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = allowed.get(url) ?? { pattern: toPattern(url), names: new Set() };
    for (const name of [method].flat()) known.names.add(String(name));
    allowed.set(url, known);
  });
  return (path) => {
    const names = [...allowed.values()].filter(({ pattern }) => pattern.test(path)).flatMap((one) => [...one.names]);
    return [...new Set(names)].sort();
  };
}

function toPattern(url: string): RegExp {
  const parts = url.split("/").map((part) => {
    if (part.startsWith(":")) return "[^/]+";
    return part === "*" ? ".+" : part.replace(/[^\w-]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("/")}$`);
}
