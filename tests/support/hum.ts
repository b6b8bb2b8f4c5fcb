export const HUM_RATE_HZ = 24_000;

/** A hum with overtones like those of a voice, whose pitch may move. */
export function hum(seconds: number, hertzAt: (second: number) => number): Float32Array {
  let phase = 0;
  return Float32Array.from({ length: seconds * HUM_RATE_HZ }, (_, i) => {
    phase += (2 * Math.PI * hertzAt(i / HUM_RATE_HZ)) / HUM_RATE_HZ;
    let sum = 0;
    for (let overtone = 1; overtone <= 12; overtone++) sum += Math.sin(overtone * phase) / overtone ** 1.5;
    return 0.2 * sum;
  });
}
