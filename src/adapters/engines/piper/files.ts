// What is made of the shipped graph when the model is pulled. On its own, because the server names these files without
// needing what makes them.
export const PIPER_GRAPH = "voice.onnx";
export const PIPER_GRAPH_REPORT = "voice.json";
export const PIPER_SPEAKERS = "speakers.f32";
export const SPEAKER_NUMBERS = 512;
/** What the graph called the looked-up speaker; now it is an input. */
export const PIPER_SPEAKER_INPUT = "/emb_g/Gather_output_0";
