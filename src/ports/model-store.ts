/** Where model files are on this machine, and whether they are. */
export interface ModelStore {
  /** The folder of one model's files. It exists when `missing` says nothing. */
  folder(id: string): string;
  /** Undefined when the model is complete, else one line that says what is missing and which command helps. */
  missing(id: string): string | undefined;
}
