const MOST_LINE_CHARACTERS = 1_000_000;

/** The `data:` lines of a stream of server-sent events, whole, whatever pieces the network cut them into. Aborts `stop` when
 *  nothing comes for `silenceMs`. */
export async function* readEvents(
  response: Response,
  silenceMs: number,
  stop: AbortController,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let alarm = setTimeout(() => stop.abort(), silenceMs);
  try {
    for await (const bytes of response.body ?? []) {
      clearTimeout(alarm);
      alarm = setTimeout(() => stop.abort(), silenceMs);
      const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      if (rest.length > MOST_LINE_CHARACTERS) throw new Error("an event without end");
      for (const line of lines) {
        if (line.startsWith("data:")) yield line.slice(5).trim();
      }
    }
    if (rest.startsWith("data:")) yield rest.slice(5).trim();
  } finally {
    clearTimeout(alarm);
  }
}
