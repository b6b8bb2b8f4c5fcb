import { Problem } from "../../platform/errors.ts";
import type { Gateway } from "../gateway.ts";
import { type Asking, openAsking } from "./asking.ts";
import { callsFor } from "./calls-for.ts";
import type { EndpointDescriptor, ForwardedRequest } from "./endpoint.ts";
import { alternativesOf } from "./find-routes.ts";
import type { Recorder, ReplyWay } from "./outlet.ts";
import { contentOf } from "./raw-form.ts";
import { respond } from "./respond.ts";
import { settleUnknown } from "./settle-unknown.ts";

/**
 * The way of every request to an upstream: the reply that it has already got, else who serves its model, the worst case set
 * aside, one upstream after another asked until there is something in a reply, and that passed on and charged. Sends the reply
 * itself, whatever happens. Whatever fails before anything reached the client costs nothing.
 */
export async function forward<Wanted extends { model: string }>(
  gateway: Gateway,
  endpoint: EndpointDescriptor<Wanted>,
  request: ForwardedRequest<Wanted>,
  reply: ReplyWay,
): Promise<void> {
  const { body: wanted } = request;
  let recorder: Recorder | undefined;
  let asking: Asking | undefined;
  try {
    const known = gateway.replays.begin(
      request,
      reply,
      endpoint.takes === "form" ? contentOf(wanted) : request.rawBody,
    );
    if (known === "replayed") return;
    recorder = known;
    const making = callsFor(gateway, endpoint, request);
    const calls = making instanceof Promise ? await making : making;
    const opening = openAsking(gateway, request, {
      endpoint: endpoint.name,
      model: wanted.model,
      takesAliases: endpoint.takesAliases,
      alternatives: endpoint.takesAliases ? alternativesOf(wanted) : [],
      isRepeatable: recorder !== undefined,
      estimate: (listed) => endpoint.estimate(request, listed),
      calls,
      settleUnheard: (meter) => settleUnknown(meter, endpoint, wanted),
    });
    asking = opening instanceof Promise ? await opening : opening;
    const asksCost = request.headers["x-svc-usage-cost"] === "1";
    let problem: Problem | undefined;
    do {
      const started = asking.start(await asking.next());
      const dialect = calls.translation;
      problem = await respond({ gateway, endpoint, wanted, asksCost, reply, recorder, started, dialect });
      if (problem) asking.refuse(problem);
    } while (problem);
    asking.accept();
  } catch (error) {
    asking?.fail(error);
    recorder?.abandon();
    reply.send(explain(error, endpoint.missing));
  }
}

function explain(error: unknown, missing: string | undefined): unknown {
  if (missing === undefined || !(error instanceof Problem) || error.kind !== "not_found") return error;
  return new Problem("service_unavailable", missing, { cause: error });
}
