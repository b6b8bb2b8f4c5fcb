/** One value a person can set: where it comes from, what it means, and how text becomes a value. */
export interface Setting<Value> {
  env: string;
  help: string;
  /** As it would be written in the environment; the empty text means "not set". */
  fallback: string;
  /** Throws with "must be …" when the text makes no sense. */
  parse(text: string): Value;
  /** Never printed. */
  isSecret?: boolean;
}

export function setting<Value>(
  env: string,
  fallback: string,
  parse: (text: string) => Value,
  help: string,
  isSecret = false,
): Setting<Value> {
  return { env, fallback, parse, help, isSecret };
}

export const text = (value: string): string => value;

export function optionalText(value: string): string | undefined {
  return value === "" ? undefined : value;
}

export function integer(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

export function flag(value: string): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true;
  if (/^(0|false|no|off)$/i.test(value)) return false;
  throw new Error("must be 1 or 0");
}

export function oneOf<const Choice extends string>(...choices: Choice[]) {
  return (value: string): Choice => {
    if (!(choices as string[]).includes(value)) throw new Error(`must be one of ${choices.join(", ")}`);
    return value as Choice;
  };
}

export function listOf<const Choice extends string>(...choices: Choice[]) {
  const one = oneOf(...choices);
  return (value: string): Choice[] => {
    const chosen = value.split(",").map((part) => one(part.trim()));
    if (chosen.length === 0) throw new Error(`must name some of ${choices.join(", ")}`);
    return [...new Set(chosen)];
  };
}

/** "4.5MB", "25 MB", "1048576". Megabytes are powers of ten, as upload limits usually are. */
export function byteSize(value: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)?$/i.exec(value.trim());
  if (!match) throw new Error('must be a size such as "4.5MB" or a number of bytes');
  const unit = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }[(match[2] ?? "b").toLowerCase() as "b" | "kb" | "mb" | "gb"];
  return Math.round(Number(match[1]) * unit);
}

/** "30d", "12h", "90m", "45s", or "0" for never; in milliseconds. */
export function duration(value: string): number {
  const match = /^(\d+)\s*(ms|s|m|h|d)?$/.exec(value.trim());
  if (!match) throw new Error('must be a time such as "30d", "12h" or "90s"');
  const unit = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 }[(match[2] ?? "s") as "ms" | "s" | "m" | "h" | "d"];
  return Number(match[1]) * unit;
}

export function httpAddress(...protocols: string[]) {
  const allowed = protocols.length > 0 ? protocols : ["http:", "https:"];
  return (value: string): string | undefined => {
    if (value === "") return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (!url || !allowed.includes(url.protocol)) {
      throw new Error(`must be an address that begins with ${allowed.map((p) => `${p}//`).join(" or ")}`);
    }
    return value.replace(/\/+$/, "");
  };
}

/** STUN and TURN addresses (RFC 7064, RFC 7065), separated by commas. */
export function iceAddresses(value: string): string[] {
  const addresses = value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (!addresses.every((address) => /^(stuns?|turns?):[^\s/]+$/.test(address))) {
    throw new Error("must be addresses such as stun:host:3478 or turn:host:3478?transport=udp");
  }
  return addresses;
}
