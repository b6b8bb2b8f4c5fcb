/** Some decoded sound: one array per channel. */
export interface SoundBlock {
  readonly channels: readonly Float32Array[];
  readonly sampleRateHz: number;
}
