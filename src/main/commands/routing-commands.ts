import { z } from "zod";
import {
  addUpstreamKey,
  removeAlias,
  removeUpstream,
  removeUpstreamKey,
  setAlias,
  setStrategy,
  setUpstream,
} from "../../gateway/routing/change-routing.ts";
import { describeRouting } from "../../gateway/routing/read-routing.ts";
import {
  aliasFields,
  aliasParams,
  routingFields,
  upstreamFields,
  upstreamKeyFields,
  upstreamParams,
} from "../../gateway/routing/schema.ts";
import type { Queries } from "../../ports/database.ts";
import { type AdminCommand, type AdminContext, command } from "./admin-command.ts";

/** Who serves which model: changes count for the next request, on every server. */
export const routingCommands: Record<string, AdminCommand> = {
  "routing show": command(z.object({}), async (_input, { queries, routing }) => describeRouting(queries, routing.seed)),
  "routing set-strategy": changing(routingFields, ({ strategy }, { queries, by }) =>
    setStrategy(queries, strategy, by),
  ),
  "upstreams list": command(z.object({}), async (_input, { queries, routing }) => {
    return (await describeRouting(queries, routing.seed)).upstreams;
  }),
  "upstreams set": changing(upstreamFields.extend(upstreamParams.shape), ({ name, ...fields }, { queries, by }) =>
    setUpstream(queries, name, fields, by),
  ),
  "upstreams remove": changing(upstreamParams, ({ name }, { queries, by }) => removeUpstream(queries, name, by)),
  "upstreams add-key": changing(
    upstreamKeyFields.extend({ upstream: z.string() }),
    ({ upstream, ...fields }, { queries, secrets, routing, by }) => {
      const known = routing.seed.addresses.map(({ title }) => title);
      return addUpstreamKey(queries, secrets(), { upstream, fields, known }, by);
    },
  ),
  "upstreams remove-key": changing(z.object({ id: z.string() }), async ({ id }, { queries, by }) => {
    await removeUpstreamKey(queries, id, by);
    return { id, removed: true };
  }),
  "aliases list": command(z.object({}), async (_input, { queries, routing }) => {
    return (await describeRouting(queries, routing.seed)).aliases;
  }),
  "aliases set": changing(aliasFields.extend(aliasParams.shape), ({ name, ...fields }, { queries, by }) =>
    setAlias(queries, name, fields, by),
  ),
  "aliases remove": changing(aliasParams, ({ name }, { queries, by }) => removeAlias(queries, name, by)),
};

/** A command whose result is what it returns, else the routing as it is now. */
function changing<Schema extends z.ZodType>(
  schema: Schema,
  act: (input: z.output<Schema>, context: AdminContext) => Promise<unknown>,
): AdminCommand {
  return command(schema, async (input, context) => {
    const result = await act(input, context);
    await context.routing.changed();
    return result ?? describe(context);
  });
}

function describe({ queries, routing }: { queries: Queries; routing: AdminContext["routing"] }) {
  return describeRouting(queries, routing.seed);
}
