/** Vercel's second surface, on which audio and video stand: JSON with base64, one protocol header per kind of model. */
export function protocolHeaders(kind: "speech" | "transcription" | "video", model: string): Record<string, string> {
  return {
    "ai-gateway-protocol-version": "0.0.1",
    [`ai-${kind}-model-specification-version`]: "4",
    "ai-model-id": model,
  };
}
