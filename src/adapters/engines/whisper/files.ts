/** As the model is shipped. */
export const SHIPPED_ENCODER = "onnx/encoder_model_quantized.onnx";
export const SHIPPED_DECODER = "onnx/decoder_model_merged_quantized.onnx";
export const VOCABULARY = "vocab.json";
export const RULES = "generation_config.json";

/** Graphs that are made of the shipped ones when a model is pulled: from sound to what the decoder looks at, and one step of it.
 *  A graph that runs cannot be stopped, so the first is in parts: what nobody waits for any more ends with the part that runs. */
export const LISTEN_GRAPHS = [1, 2, 3, 4, 5, 6].map((part) => `listen-${part}.onnx`);
export const STEP_GRAPH = "step.onnx";
/** How their form was chosen. */
export const GRAPH_REPORT = "graphs.json";
