/** `auto` uses a graphics card where the machine and the runtime's packages have one. */
export interface GpuChoice {
  readonly use: "auto" | "off";
  /** How many of the model's layers go there; 0 lets the runtime fit as many as it can. */
  readonly layers: number;
}

/** What the runtime is asked for. Weights that stay in memory are read at once, so that no request waits for the disk; those that
 *  go to a graphics card only pass through. */
export function loadOptions(gpu: GpuChoice | undefined) {
  if (!gpu || gpu.use === "off") return { runtime: { gpu: false as const }, weights: { useMmap: false } };
  const layers = gpu.layers > 0 ? { gpuLayers: gpu.layers } : {};
  return { runtime: { gpu: "auto" as const }, weights: layers };
}
