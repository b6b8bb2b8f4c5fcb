/**
 * Variables that keep native libraries from reporting about the machine they run on. ONNX Runtime otherwise writes an id of the
 * device and a queue of events into ~/.cache/Microsoft, debug logs into the temporary folder, and sends them to Microsoft.
 * They are read when the library is loaded. llama.cpp, sharp, koffi and node-datachannel have nothing of the kind.
 */
export const NO_TELEMETRY = { ORT_DISABLE_TELEMETRY: "1" } as const;
