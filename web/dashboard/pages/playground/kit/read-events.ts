/** The JSON of every `data:` line of a stream of Server-Sent Events, in order. `[DONE]` ends it. */
export async function* readEvents<Event>(response: Response): AsyncGenerator<Event> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) {
      const data = /^data: ?(.*?)\r?$/.exec(line)?.[1];
      if (data === "[DONE]") return;
      if (data) yield JSON.parse(data) as Event;
    }
    if (done) return;
  }
}
