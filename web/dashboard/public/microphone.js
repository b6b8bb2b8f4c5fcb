// Hands what the microphone hears to the page, 1024 samples at a time. A worklet must be a file of its own.
const size = 1024;

class Microphone extends AudioWorkletProcessor {
  constructor() {
    super();
    this.held = new Float32Array(size);
    this.count = 0;
  }

  process([input]) {
    for (const sample of input[0] ?? []) {
      this.held[this.count++] = sample;
      if (this.count === size) {
        this.port.postMessage(this.held.slice());
        this.count = 0;
      }
    }
    return true;
  }
}

registerProcessor("microphone", Microphone);
