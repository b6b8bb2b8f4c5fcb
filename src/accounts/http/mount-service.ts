import type { UnknownKeyLimit } from "../../limits/unknown-key-limit.ts";
import type { Health } from "../../platform/health.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { Dialect } from "../../platform/http/dialect.ts";
import { speakDialect } from "../../platform/http/errors.ts";
import { readForms } from "../../platform/http/form.ts";
import { type ApiDescription, describeApi } from "../../platform/http/openapi/describe-api.ts";
import type { Log } from "../../platform/log.ts";
import type { UsageWriter } from "../usage/usage-writer.ts";
import type { KeyVerifier } from "../verify-key.ts";
import { type EntryPolicy, guard } from "./guard.ts";
import { keepBooks } from "./keep-books.ts";

/** One of the APIs: its own dialect, its own way in, its own routes, on the shared shell. */
export interface Service<Name extends string = "voice" | "gateway" | "extraction"> {
  name: Name;
  /** Where its routes stand beside the other services, and where when it is served alone. */
  base: string;
  baseWhenAlone: string;
  /** What its routes may take; larger bodies than the edge lets through by itself. */
  largestBodyBytes?: number;
  dialect: Dialect;
  policy: EntryPolicy;
  api: Omit<ApiDescription, "baseUrl">;
  addRoutes(app: HttpApp): Promise<void> | void;
}

export interface MountContext {
  verifier: KeyVerifier;
  health: Health;
  unknown: UnknownKeyLimit;
  usage: UsageWriter;
  log: Log;
  publicUrl: string;
  isAlone: boolean;
}

/** Fastify runs hooks in the order they were added, so the lines below are the way of a request. */
export async function mountService(app: HttpApp, service: Service<string>, context: MountContext): Promise<void> {
  const bases = new Set(context.isAlone ? [service.base, service.baseWhenAlone] : [service.base]);
  for (const base of bases) {
    await app.register(
      async (plain) => {
        const scoped = plain as unknown as HttpApp;
        speakDialect(scoped, service.dialect, context.log);
        if (service.largestBodyBytes) liftEdge(scoped, service.largestBodyBytes, service.dialect.speaksAtEdge ?? false);
        keepBooks(scoped, service.name, context.usage);
        guard(scoped, service.policy, context);
        readForms(scoped);
        describeApi(scoped, { ...service.api, baseUrl: `${context.publicUrl}${base}` }, { base });
        await service.addRoutes(scoped);
      },
      { prefix: base },
    );
  }
}

/** The edge of 4.5 MB is the voice platform's. Other services promise to take larger files, up to what their routes say
 *  themselves. */
function liftEdge(app: HttpApp, largestBodyBytes: number, speaksAtEdge: boolean): void {
  const limit = Math.max(app.edgeUploadBytes, largestBodyBytes);
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, edgeBytes: limit, speaksAtEdge };
    route.bodyLimit ??= limit;
  });
}
