export const SHIPPED_GRAPH = "silero_vad_v6.onnx";
export const COMPACT_GRAPH = "silero_compact.onnx";

/** Version 6 hears nothing unless each frame is preceded by the end of the one before. */
export const CONTEXT_SAMPLES = 64;
/** The end of a frame is followed by its mirror image. */
export const MIRRORED_SAMPLES = 64;
/** What the graph looks at for one frame of 512 samples. */
export const FRAME_INPUTS = CONTEXT_SAMPLES + 512 + MIRRORED_SAMPLES;
/** The network keeps two times as many numbers between frames. */
export const MEMORY_NUMBERS = 128;
