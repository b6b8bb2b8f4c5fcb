import http from "node:http";
import type { AddressInfo } from "node:net";

/** The upstream that every contender forwards to: 1.2 kB of JSON, or a stream of chunks, paced when asked. */
const usage = { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160, cost: 0.000153 };
const reply = JSON.stringify({
  id: "gen_bench",
  object: "chat.completion",
  created: 1,
  model: "acme/chat",
  choices: [{ index: 0, message: { role: "assistant", content: "x".repeat(900) }, finish_reason: "stop" }],
  usage,
});
const chunk = (content: string, extra = {}) =>
  `data: ${JSON.stringify({ id: "gen_bench", object: "chat.completion.chunk", created: 1, model: "acme/chat", choices: [{ index: 0, delta: { content }, finish_reason: null }], ...extra })}\n\n`;
const last = `data: ${JSON.stringify({ id: "gen_bench", object: "chat.completion.chunk", created: 1, model: "acme/chat", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage })}\n\ndata: [DONE]\n\n`;
const models = JSON.stringify({
  object: "list",
  data: [{ id: "acme/chat", object: "model", max_tokens: 1000, pricing: { input: "0.000001", output: "0.000002" } }],
});

const server = http.createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    if (request.url?.endsWith("/models")) {
      response.writeHead(200, { "content-type": "application/json" }).end(models);
    } else if (!body.includes('"stream":true')) {
      response.writeHead(200, { "content-type": "application/json", "content-length": reply.length }).end(reply);
    } else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const everyMs = Number(/"pace":(\d+)/.exec(body)?.[1] ?? 0);
      const count = Number(/"chunks":(\d+)/.exec(body)?.[1] ?? 10);
      if (everyMs === 0) {
        for (let n = 0; n < count; n++) response.write(chunk("word "));
        response.end(last);
        return;
      }
      let sent = 0;
      const timer = setInterval(() => {
        // The time travels in the chunk, so that the reader can tell how long it was on its way.
        response.write(chunk(`@${Date.now() + performance.now() - Math.floor(performance.now())}`));
        sent += 1;
        if (sent === count) {
          clearInterval(timer);
          response.end(last);
        }
      }, everyMs);
      response.once("close", () => clearInterval(timer));
    }
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
