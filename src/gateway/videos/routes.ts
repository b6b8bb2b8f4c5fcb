import type { FastifyReply } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { renderProblem } from "../../platform/http/dialect.ts";
import { toProblem } from "../../platform/http/to-problem.ts";
import { gatewayDialect } from "../dialect.ts";
import { localPrefix, problemReplies } from "../fields.ts";
import type { Recorder } from "../pipeline/copy-reply.ts";
import type { Gateway } from "../pipeline/gateway.ts";
import { jsonType, Outlet } from "../pipeline/outlet.ts";
import { reserve } from "../pipeline/reserve.ts";
import { resolve } from "../pipeline/resolve.ts";
import { estimateVideo, generateVideo, type Made, secondsOf } from "./generate.ts";
import type { VideoJobs } from "./jobs.ts";
import { videoJob, videoRequest } from "./schema.ts";

const config = { scope: "gateway:read" };
/** Proxies on the way give up on connections that are silent for a minute. */
const quietMs = 20_000;

export function addVideoRoutes(app: HttpApp, gateway: Gateway, jobs: VideoJobs): void {
  app.addHook("onClose", () => jobs.stop());
  app.post(
    "/videos/generations",
    {
      config,
      schema: {
        summary: "Video generation: one long request, or a job with `Prefer: respond-async`",
        body: videoRequest,
        response: { 202: videoJob, ...problemReplies },
      },
    },
    async (request, reply) => {
      const wanted = request.body;
      if (wanted.model.startsWith(localPrefix)) {
        throw new Problem("model_not_found", "There are no video models in this process.");
      }
      const recorder = gateway.replays.begin(request, reply, () => request.rawBody);
      if (recorder === "replayed") return reply;
      const outlet = new Outlet(reply, recorder);
      try {
        if (!/\brespond-async\b/i.test(String(request.headers.prefer ?? ""))) {
          return await sendKeptAlive(reply, outlet, generateVideo(gateway, request, wanted), recorder);
        }
        // What is wrong with the request or the balance is told now, not by a job that fails.
        const { listed } = await resolve(gateway, request, { model: wanted.model });
        const about = { endpoint: "videos/generations", model: wanted.model, upstream: "" } as const;
        (await reserve(gateway, request, about, estimateVideo(listed, secondsOf(wanted)))).release();
        const body = JSON.stringify(await jobs.start(request, wanted));
        outlet.send({ status: 202, type: jsonType, body, headers: ["preference-applied", "respond-async"] });
        return reply;
      } catch (error) {
        // A caller who hangs up does not free the key: what the upstream goes on with, and bills, is there for the next try.
        recorder?.abandon();
        throw error;
      }
    },
  );
  app.get(
    "/videos/generations/:id",
    { config, schema: { summary: "A video job", response: { 200: videoJob, ...problemReplies } } },
    async (request, reply) =>
      reply.send((await jobs.find(request.caller.workspace.id, (request.params as { id: string }).id)) as never),
  );
}

/** While the upstream works, blank lines keep the connection awake: JSON does not mind them. They come with status 200, so
 *  what fails after the first of them is told in the body. */
async function sendKeptAlive(
  reply: FastifyReply,
  outlet: Outlet,
  working: Promise<Made>,
  recorder: Recorder | undefined,
): Promise<FastifyReply> {
  let isAwake = false;
  const timer = setInterval(() => {
    if (!isAwake) {
      isAwake = true;
      reply.hijack();
      const headers = reply.getHeaders() as Record<string, string>;
      reply.raw.writeHead(200, { ...headers, "content-type": jsonType });
    }
    if (!reply.raw.destroyed) reply.raw.write("\n");
  }, quietMs);
  try {
    const { body, headers } = await working;
    if (isAwake) {
      recorder?.start(200, { "content-type": jsonType });
      recorder?.write(body);
      recorder?.complete();
      reply.raw.end(body);
    } else outlet.send({ status: 200, type: jsonType, body, headers });
    return reply;
  } catch (error) {
    if (!isAwake) throw error;
    recorder?.abandon();
    reply.raw.end(JSON.stringify(renderProblem(gatewayDialect, toProblem(error)).body));
    return reply;
  } finally {
    clearInterval(timer);
  }
}
