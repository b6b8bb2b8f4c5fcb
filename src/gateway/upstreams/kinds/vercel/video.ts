import { isObject } from "../../../json.ts";
import type { VideoJobs } from "../kind.ts";
import { protocolHeaders } from "./protocol-headers.ts";

export const vercelVideos: VideoJobs = {
  /** The idempotency key keeps a repeated try from being billed twice. */
  start(wanted, requestId) {
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
      extra: { ...protocolHeaders("video", wanted.model), "idempotency-key": requestId },
    };
  },
  nameOf: ({ operation }) => operation,
  status: (model, operation) => ({
    path: "/v4/ai/video-model/status",
    body: Buffer.from(JSON.stringify({ operation })),
    contentType: "application/json",
    extra: protocolHeaders("video", model),
  }),
  read(state, model) {
    const videos = Array.isArray(state.videos) ? state.videos.filter(isObject) : [];
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
      ...(isObject(state.providerMetadata) ? { providerMetadata: state.providerMetadata } : {}),
    };
  },
};
