// What is made of the shipped graph when the model is pulled. On its own, because the server names these files without
// needing the runtime that makes them.
export const KOKORO_GRAPH = "graph.onnx";
export const KOKORO_GRAPH_REPORT = "graph.json";
