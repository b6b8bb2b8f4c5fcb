/** Plays samples as they arrive, one piece after the other without a gap. */
export interface LivePlayer {
  push(samples: Float32Array): void;
  /** Seconds that have been heard. */
  seconds(): number;
  stop(): void;
}

/** Ahead of the first piece, so that the next one is there when it ends. */
const headStartSeconds = 0.12;

export function createLivePlayer(sampleRateHz: number): LivePlayer {
  const context = new AudioContext();
  let startedAt: number | undefined;
  let end = 0;
  let last: AudioBufferSourceNode | undefined;
  return {
    push(samples) {
      if (samples.length === 0 || context.state === "closed") return;
      const buffer = context.createBuffer(1, samples.length, sampleRateHz);
      buffer.copyToChannel(samples as Float32Array<ArrayBuffer>, 0);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      const now = context.currentTime;
      startedAt ??= now + headStartSeconds;
      // Sound that comes late makes a pause; the clock of the words moves with it.
      const at = Math.max(startedAt + end, now);
      startedAt = at - end;
      source.start(at);
      end += buffer.duration;
      // A device that plays nothing takes power, too.
      last = source;
      void context.resume();
      source.onended = () => {
        if (source === last && context.state === "running") void context.suspend();
      };
    },
    seconds: () => (startedAt === undefined ? 0 : Math.max(0, Math.min(end, context.currentTime - startedAt))),
    stop() {
      if (context.state !== "closed") void context.close();
    },
  };
}
