import http from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";

/** As little as a metering proxy can do: node:http and undici, bytes through, a look at the request's model. */
const pool = new Pool(process.env.UPSTREAM!, { connections: 512, pipelining: 1 });
const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    JSON.parse(body.toString("utf8"));
    let abort = () => {};
    response.once("close", () => {
      if (!response.writableFinished) abort();
    });
    pool.dispatch(
      { method: "POST", path: request.url!, headers: { "content-type": "application/json" }, body },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error("gone"));
        },
        onResponseStart(_controller, status, headers) {
          response.writeHead(status, { "content-type": headers["content-type"] as string });
        },
        onResponseData(controller, chunk) {
          if (response.write(chunk)) return;
          controller.pause();
          response.once("drain", () => controller.resume());
        },
        onResponseEnd() {
          response.end();
        },
        onResponseError() {
          response.destroy();
        },
      },
    );
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
