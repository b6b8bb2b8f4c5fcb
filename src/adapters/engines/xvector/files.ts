// Names that the server needs without what makes the files.
export const XVECTOR_MODEL = "xvector-speakers";
export const XVECTOR_GRAPH = "xvector.onnx";
export const NETWORK_FILE = "final.ext.raw";
export const MEAN_FILE = "mean.vec";
export const WHITENING_FILE = "transform.mat";
/** Numbers of a voice print. */
export const PRINT_NUMBERS = 128;
/** Cepstral numbers of a frame of 10 ms. */
export const CEPSTRA = 23;
