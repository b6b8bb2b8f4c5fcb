import type { FastifyRequest } from "fastify";
import { addressMatcher, networkOf } from "../platform/client-address.ts";
import { limitBytes } from "../platform/http/edge-limit.ts";
import type { HttpApp } from "../platform/http/http-app.ts";
import { endStalledBody } from "../platform/http/stalled-body.ts";
import type { Log } from "../platform/log.ts";
import { limitConnections, maxConnections } from "./connection-limit.ts";
import { RefusalPacer } from "./refusal-pacer.ts";
import { UploadBudget, watchUpload } from "./upload-budget.ts";

export interface ServerLimits {
  bufferedBytes: number;
  connectionsPerAddress: number;
  /** In all; 0 for what the descriptors allow. */
  connections: number;
  trustedProxies: string | undefined;
}

/** Larger bodies share a budget of memory; small ones are not worth the bookkeeping. */
const budgetedFromBytes = 64 * 1024;

/** The limits that hold whatever a request is for: connections, pace of refusals, memory of uploads. To be called before routes
 *  are added. */
export function limitServer(app: HttpApp, limits: ServerLimits, log: Log): void {
  limitConnections(app.server, {
    max: limits.connectionsPerAddress,
    maxInAll: limits.connections || maxConnections(),
    isExempt: addressMatcher(limits.trustedProxies?.split(",").map((part) => part.trim()) ?? []),
    log,
  });
  const pacer = new RefusalPacer();
  app.decorate("paceRefusal", (request) => {
    // A body without a declared length is taken for a megabyte, a guess.
    const bytes = request.headers["transfer-encoding"] === undefined ? request.headers["content-length"] : 1e6;
    return pacer.next(holderOf(request), Number(bytes ?? 0));
  });
  const budget = new UploadBudget(limits.bufferedBytes);
  app.addHook("preParsing", (request, reply, payload, done) => {
    const declared = request.headers["content-length"];
    const hasBody = declared !== undefined || request.headers["transfer-encoding"] !== undefined;
    if (!hasBody) return done(null, payload);
    const limit = request.routeConfig.edgeBytes ?? app.edgeUploadBytes;
    const size = declared === undefined ? limit : Number(declared);
    endStalledBody(request.raw);
    if (size < budgetedFromBytes) return done(null, payload);
    // A body without a declared length is counted as it comes; forms are counted by their reader.
    const isCounted = declared === undefined && !request.headers["content-type"]?.startsWith("multipart/");
    const upload = budget.open(holderOf(request), (problem) => {
      // The connection stays: a sender whom it were closed upon would never see why.
      if (!reply.sent) reply.send(problem);
    });
    reply.raw.once("close", upload.release);
    watchUpload(request.raw, upload);
    if (!upload.isRefused) done(null, isCounted ? payload.pipe(limitBytes(limit)) : payload);
  });
}

/** Who shares room and patience: the workspace, or the address of somebody who is not known (yet). */
function holderOf(request: FastifyRequest): string {
  return request.caller?.workspace.id ?? networkOf(request.ip);
}
