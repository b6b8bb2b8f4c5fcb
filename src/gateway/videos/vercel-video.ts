import { isObject, type Json } from "../upstreams/kinds/kind.ts";
import type { CallRequest } from "../upstreams/upstream.ts";
import type { VideoWanted } from "./schema.ts";

function headersFor(model: string): Record<string, string> {
  return {
    "ai-gateway-protocol-version": "0.0.1",
    "ai-video-model-specification-version": "4",
    "ai-model-id": model,
  };
}

/** Starts a job on Vercel's second surface. The idempotency key keeps a repeated try from being billed twice. */
export function vercelStartCall(wanted: VideoWanted, requestId: string): CallRequest {
  const { prompt, aspectRatio, duration, generateAudio, resolution, fps, seed, n } = wanted;
  const body = {
    prompt,
    n: n ?? 1,
    ...(aspectRatio ? { aspectRatio } : {}),
    ...(duration ? { duration } : {}),
    ...(generateAudio == null ? {} : { generateAudio }),
    ...(typeof resolution === "string" ? { resolution } : {}),
    ...(typeof fps === "number" ? { fps } : {}),
    ...(typeof seed === "number" ? { seed } : {}),
  };
  return {
    path: "/v4/ai/video-model/start",
    body: Buffer.from(JSON.stringify(body)),
    contentType: "application/json",
    extra: { ...headersFor(wanted.model), "idempotency-key": requestId },
  };
}

export function vercelStatusCall(model: string, operation: unknown): CallRequest {
  return {
    path: "/v4/ai/video-model/status",
    body: Buffer.from(JSON.stringify({ operation })),
    contentType: "application/json",
    extra: headersFor(model),
  };
}

/** In the shape that the gateway's image results have. */
export function readVercelVideos(job: Json, model: string): Json {
  const videos = Array.isArray(job.videos) ? job.videos.filter(isObject) : [];
  return {
    object: "video.generation",
    status: "completed",
    created: Math.floor(Date.now() / 1000),
    model,
    data: videos.map(({ url, data, mediaType }) => ({
      ...(typeof url === "string" ? { url } : {}),
      ...(typeof data === "string" ? { b64_json: data } : {}),
      ...(typeof mediaType === "string" ? { media_type: mediaType } : {}),
    })),
    ...(isObject(job.providerMetadata) ? { providerMetadata: job.providerMetadata } : {}),
  };
}
