import http from "node:http";

/** The peer: no framework, no key, no limits; it parses the JSON and answers. */
const server = http.createServer((request, reply) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as object) : {};
    const text = JSON.stringify({
      object: "credits",
      balance: "10.00",
      lifetime_spend: "0.00",
      fields: Object.keys(body).length,
    });
    reply.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    reply.end(text);
  });
});
server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as { port: number }).port}\n`),
);
