/** Graphs that are made of the shipped ones when a model is pulled. */
export const COMPACT_ENCODER = "encoder_compact.onnx";
/** What the decoder looks at in the speech, and one step of it. */
export const SPEECH_KEYS = "decoder_speech_keys.onnx";
export const TOKEN_STEP = "decoder_token_step.onnx";
