/** Log lines for a person: what happened at a glance, in colour, with a status line below that is drawn anew as it changes. */
export interface TerminalLines {
  /** Takes a JSON line, as the log writes it. */
  write(line: string): void;
  /** What is under way, or undefined when nothing is. */
  showStatus(text: string | undefined): void;
}

interface Out {
  write(text: string): unknown;
}

const clearLine = "\r\u001b[K";

export function createTerminalLines(out: Out): TerminalLines {
  let status = "";
  return {
    write: (line) => out.write(`${status ? clearLine : ""}${prettyLine(line)}${status}`),
    showStatus(text) {
      if (status || text) out.write(`${clearLine}${text ?? ""}`);
      status = text ?? "";
    },
  };
}

const levels: Record<number, string> = {
  20: dim("debug "),
  40: paint(33, "warn  "),
  50: paint(31, "error "),
  60: paint(31, "fatal "),
};

export function prettyLine(line: string): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, msg, stack, ...rest } = fields;
  const clock = dim(new Date(String(time)).toTimeString().slice(0, 8));
  const told = msg === "request" ? prettyRequest(rest) : `${String(msg)}${prettyFields(rest)}`;
  const trace = typeof stack === "string" ? `\n${dim(harmless(stack, 4000))}` : "";
  return `${clock} ${levels[Number(level)] ?? ""}${told}${trace}\n`;
}

function prettyRequest({ method, route, path, status, durationMs, key, requestId }: Record<string, unknown>): string {
  const code = Number(status);
  const colour = code >= 500 ? 31 : code >= 400 ? 33 : 32;
  const who = [key, code >= 400 ? requestId : undefined].filter(Boolean).map((one) => harmless(String(one), 60));
  const what = `${String(method).padEnd(6)} ${harmless(String(path ?? route), 200)}`;
  return `${paint(colour, String(status))} ${what} ${dim([`${durationMs} ms`, ...who].join("  "))}`;
}

function prettyFields(fields: Record<string, unknown>): string {
  const told = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name}=${harmless(text ?? "", 500)}`;
  });
  return told.length > 0 ? ` ${dim(told.join(" "))}` : "";
}

/** What a caller sent must not move the cursor or change the colours of somebody else's terminal. */
function harmless(text: string, most: number): string {
  return text.slice(0, most).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "?");
}

/** A bar of ten steps: `[######....]  58 %`. */
export function progressBar(fraction: number): string {
  const share = Math.min(1, Math.max(0, fraction));
  const filled = Math.round(share * 10);
  return `[${"#".repeat(filled)}${".".repeat(10 - filled)}] ${String(Math.round(share * 100)).padStart(3)} %`;
}

function paint(colour: number, text: string): string {
  return `\u001b[${colour}m${text}\u001b[0m`;
}

function dim(text: string): string {
  return paint(2, text);
}
