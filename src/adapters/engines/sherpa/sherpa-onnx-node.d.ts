/** The part of sherpa-onnx-node that is used here; the package has no types of its own. */
declare module "sherpa-onnx-node" {
  export interface HeardResult {
    readonly lang: string;
    readonly text: string;
    readonly tokens: readonly string[];
    readonly timestamps: readonly number[];
    readonly durations: readonly number[];
    readonly ys_log_probs: readonly number[];
  }
  interface OfflineStream {
    acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
  }
  export interface OfflineRecognizer {
    createStream(): OfflineStream;
    decodeAsync(stream: OfflineStream): Promise<HeardResult>;
    setConfig(config: object): void;
  }
  export interface OfflineTts {
    readonly numSpeakers: number;
    readonly sampleRate: number;
    generateAsync(request: object): Promise<{ samples: Float32Array; sampleRate: number }>;
  }
  export interface OfflineSpeakerDiarization {
    process(samples: Float32Array): readonly { start: number; end: number; speaker: number }[];
  }
  const sherpa: {
    OfflineSpeakerDiarization: new (config: object) => OfflineSpeakerDiarization;
    OfflineRecognizer: { createAsync(config: object): Promise<OfflineRecognizer> };
    OfflineTts: { createAsync(config: object): Promise<OfflineTts> };
  };
  export default sherpa;
}
