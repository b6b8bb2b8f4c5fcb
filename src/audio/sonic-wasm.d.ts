declare module "@echogarden/sonic-wasm" {
  export interface SonicModule {
    readonly HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _sonicCreateStream(sampleRateHz: number, channels: number): number;
    _sonicDestroyStream(stream: number): void;
    _sonicSetSpeed(stream: number, speed: number): void;
    _sonicSetQuality(stream: number, quality: number): void;
    _sonicWriteFloatToStream(stream: number, pointer: number, samples: number): number;
    _sonicReadFloatFromStream(stream: number, pointer: number, most: number): number;
    _sonicFlushStream(stream: number): void;
  }
  export default function initialize(): Promise<SonicModule>;
}
