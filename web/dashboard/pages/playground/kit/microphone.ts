export interface Microphone {
  readonly stream: MediaStream;
  stop(): void;
}

/** Asks for the microphone; a refusal says what to do. */
export async function askForMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices)
    throw new Error("Browsers give a microphone only to pages from https or localhost. Open the dashboard there.");
  return navigator.mediaDevices
    .getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } })
    .catch((error: Error) => {
      throw new Error(
        error.name === "NotAllowedError"
          ? "The browser was not allowed to use the microphone. Allow it beside the address and try again."
          : "There is no microphone that the browser can use.",
      );
    });
}

/** What the microphone hears, as samples at this rate. */
export async function listen(sampleRateHz: number, onSamples: (samples: Float32Array) => void): Promise<Microphone> {
  const stream = await askForMicrophone();
  const context = new AudioContext({ sampleRate: sampleRateHz });
  await context.audioWorklet.addModule("/microphone.js");
  const node = new AudioWorkletNode(context, "microphone");
  node.port.onmessage = ({ data }) => onSamples(data);
  context.createMediaStreamSource(stream).connect(node);
  return {
    stream,
    stop() {
      for (const track of stream.getTracks()) track.stop();
      if (context.state !== "closed") void context.close();
    },
  };
}

/** 0 to 1, on the scale of ears: -50 dB is nothing. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / samples.length + 1e-9);
  return Math.max(0, Math.min(1, (decibels + 50) / 45));
}
