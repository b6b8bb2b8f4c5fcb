declare module "@echogarden/espeak-ng-emscripten" {
  export interface EspeakModule {
    readonly HEAPU8: Uint8Array;
    readonly eSpeakNGWorker: new () => EspeakWorker;
  }
  export interface EspeakWorker {
    /** 0 when the voice exists. */
    set_voice(identifier: string): number;
    /** Points to a zero-terminated text. Mode 1 is IPA, with "_" between phonemes and "|" between clauses. */
    text_to_phonemes(text: string, mode: number): { readonly ptr: number };
    list_voices(): { readonly identifier: string; readonly languages: readonly { readonly name: string }[] }[];
  }
  export default function initialize(): Promise<EspeakModule>;
}
