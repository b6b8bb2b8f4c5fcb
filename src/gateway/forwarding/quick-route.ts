import type { z } from "zod";
import type { QuickRoute } from "../../accounts/http/quick-entry.ts";
import { checkerOf } from "../../platform/http/validate.ts";
import type { Gateway } from "../gateway.ts";
import { localPrefix } from "../local/find-local.ts";
import type { Json } from "../upstreams/kinds/kind.ts";
import { forwardTokens, type TokenEndpoint } from "./forward-tokens.ts";
import { parseRaw } from "./raw-json.ts";

/** Forwards plain requests for models of upstreams without the framework. Models of this process are left to it. */
export function quickRoute<Schema extends z.ZodType<{ model: string }>>(
  gateway: Gateway,
  schema: Schema,
  endpointFor: (body: z.output<Schema>) => TokenEndpoint,
): QuickRoute {
  const check = checkerOf(schema, "body");
  return {
    read(bytes) {
      try {
        const { value } = check(parseRaw(bytes));
        return value?.model.startsWith(localPrefix) ? undefined : (value as Json | undefined);
      } catch {
        return undefined;
      }
    },
    handle: (request, reply) => forwardTokens(gateway, request, reply, endpointFor(request.body as z.output<Schema>)),
  };
}
