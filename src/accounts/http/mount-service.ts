import type { HttpApp } from "../../platform/http/create-server.ts";
import type { Dialect } from "../../platform/http/dialect.ts";
import { refuseOtherMethods, speakDialect } from "../../platform/http/errors.ts";
import { readForms } from "../../platform/http/form.ts";
import { type ApiDescription, describeApi } from "../../platform/http/openapi.ts";
import type { Log } from "../../platform/log.ts";
import type { UsageWriter } from "../usage/usage-writer.ts";
import type { KeyVerifier } from "../verify-key.ts";
import { type EntryPolicy, guard } from "./guard.ts";
import { keepBooks } from "./keep-books.ts";

/** One of the three APIs: its own dialect, its own way in, its own routes, on the shared shell. */
export interface Service {
  name: "voice" | "gateway" | "extraction";
  /** Where its routes stand beside the other services, and where when it is served alone. */
  base: string;
  baseWhenAlone: string;
  dialect: Dialect;
  policy: EntryPolicy;
  api: Omit<ApiDescription, "baseUrl">;
  addRoutes(app: HttpApp): Promise<void> | void;
}

export interface MountContext {
  verifier: KeyVerifier;
  usage: UsageWriter;
  log: Log;
  publicUrl: string;
  isAlone: boolean;
}

/** Fastify runs hooks in the order they were added, so the lines below are the way of a request. */
export async function mountService(app: HttpApp, service: Service, context: MountContext): Promise<void> {
  const bases = new Set(context.isAlone ? [service.base, service.baseWhenAlone] : [service.base]);
  for (const base of bases) {
    await app.register(
      async (plain) => {
        const scoped = plain as unknown as HttpApp;
        speakDialect(scoped, service.dialect, context.log);
        keepBooks(scoped, service.name, context.usage);
        guard(scoped, service.policy, context.verifier);
        readForms(scoped);
        const addRefusals = refuseOtherMethods(scoped);
        await describeApi(scoped, { ...service.api, baseUrl: `${context.publicUrl}${base}` }, { base });
        await service.addRoutes(scoped);
        addRefusals();
      },
      { prefix: base },
    );
  }
}
