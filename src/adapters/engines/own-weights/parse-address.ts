/** Weights that a person brought: `gguf:PATH`, `sherpa:NAME`, with `?key=value&...` behind it. */
export interface OwnAddress {
  readonly scheme: string;
  /** A path, or the name of a model of `parlance models list`. */
  readonly where: string;
  readonly isPath: boolean;
  readonly options: Readonly<Record<string, string>>;
}

/** Undefined for anything that does not begin with one of the schemes. */
export function parseOwnAddress(text: string, schemes: readonly string[]): OwnAddress | undefined {
  const match = /^([a-z-]+):([^?]+)(?:\?(.*))?$/su.exec(text.trim());
  if (!match || !schemes.includes(match[1]!)) return undefined;
  const where = match[2]!.trim();
  const options: Record<string, string> = Object.create(null);
  for (const [key, value] of new URLSearchParams(match[3] ?? "")) options[key] = value;
  return { scheme: match[1]!, where, isPath: /[/\\]|^[.~]|\.(gguf|onnx)$/i.test(where), options };
}

/** The languages of `?languages=de,pt-BR`, as clients write them; empty where none are named. */
export function languagesOf({ options }: OwnAddress): string[] {
  return (options.languages ?? "").toLowerCase().replaceAll("_", "-").split(",").filter(Boolean);
}

/** The engines of a setting, in order. Commas separate them, and the languages of one; an engine begins with its scheme. */
export function splitEngines(text: string): string[] {
  return text
    .split(/,(?=\s*(?:local\s*(?:,|$)|openai:|sherpa:))/)
    .map((part) => part.trim())
    .filter(Boolean);
}
