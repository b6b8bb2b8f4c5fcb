export type ModelName = "kokoro" | "piper";

export interface CatalogVoice {
  readonly id: string;
  readonly label: string;
  readonly model: ModelName;
  /** What the model itself calls the voice. */
  readonly name: string;
}
