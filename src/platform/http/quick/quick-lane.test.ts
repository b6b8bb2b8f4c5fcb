import type http from "node:http";
import net, { type AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenReply } from "./quick-connection.ts";
import { LanedServer, type QuickLane } from "./quick-lane.ts";

interface Seen {
  path: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

const limits = { headersTimeout: 30_000, keepAliveTimeout: 5_000, connectionsCheckingInterval: 1_000 };
let quick = 0;
let slow = 0;

/** Both say what they have seen, in the same words. */
const answerSlowly: http.RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    slow += 1;
    const seen = { path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString("latin1") };
    const text = JSON.stringify(seen);
    response.writeHead(200, ["content-type", "x/y", "content-length", String(Buffer.byteLength(text))]);
    response.end(text);
  });
};
const lane: QuickLane = new Map([
  [
    "/quick",
    ({ path, headers }, body, open) => {
      if (body.includes("find out")) return decide(body.includes("yes"), open);
      if (body.includes("not here")) return false;
      quick += 1;
      const reply = open({ onError() {}, onKnown() {}, onEnding() {}, onClosed() {} });
      const text = JSON.stringify({ path, headers, body: body.toString("latin1") });
      reply.writeHead(200, ["content-type", "x/y", "content-length", String(Buffer.byteLength(text))]);
      if (body.includes("later")) setTimeout(() => reply.end(text), 200);
      else reply.end(text);
      return true;
    },
  ],
  [
    "/stream",
    (_head, _body, open) => {
      const reply = open({ onError() {}, onKnown() {}, onEnding() {}, onClosed() {} }).writeHead(200, []);
      for (const chunk of ["one", "", Buffer.from("two")]) reply.write(chunk);
      reply.end("{}").end("more").write("and more");
      return true;
    },
  ],
]);

let decided: (() => void) | undefined;
const isAsked = () => expect.poll(() => decided).toBeDefined();
let closed = 0;

/** Says what becomes of a request when the test wants it. */
async function decide(isServed: boolean, open: OpenReply): Promise<boolean> {
  await new Promise<void>((resolve) => {
    decided = resolve;
  });
  if (isServed)
    open({ onError() {}, onKnown() {}, onEnding() {}, onClosed: () => void closed++ })
      .writeHead(200, ["content-length", 2])
      .end("{}");
  return isServed;
}

let laned: http.Server;
let plain: http.Server;
beforeAll(async () => {
  laned = new LanedServer(lane, limits, answerSlowly);
  // The same refusals, and no lane.
  plain = new LanedServer(undefined, limits, answerSlowly);
  for (const server of [laned, plain]) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  for (const server of [laned, plain]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const portOf = (server: http.Server) => (server.address() as AddressInfo).port;

/** Something to send, or something to wait for before the next. */
type Piece = string | (() => PromiseLike<unknown>);

/** Everything that comes back for these pieces until `count` replies are there or the server hangs up. In turns, each piece
 *  waits for the reply to the one before. */
function exchange(server: http.Server, pieces: readonly Piece[], count = 1, isInTurns = false): Promise<string> {
  return new Promise((resolve) => {
    const left = [...pieces];
    let heard = "";
    const socket = net.connect(portOf(server), "127.0.0.1", async () => {
      do {
        const piece = left.shift()!;
        if (typeof piece === "string") socket.write(piece, "latin1");
        else await piece();
        await new Promise(setImmediate);
      } while (left.length > 0 && !isInTurns && socket.writable);
    });
    socket.setNoDelay(true);
    socket.on("data", (bytes) => {
      heard += bytes.toString("latin1");
      const isRefused = /HTTP\/1\.1 4.*\r\n\r\n/s.test(heard);
      const isWhole = /(}|\r\n0\r\n\r\n)$/.test(heard);
      if (isRefused || (isWhole && heard.split("HTTP/1.1 200").length > count)) socket.destroy();
      else if (isWhole && isInTurns) socket.write(left.shift() as string, "latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      resolve(heard.replace(/\r\nDate: [^\r]+/g, ""));
    });
  });
}

const post = (body: string, ...more: string[]) =>
  [
    "POST /quick HTTP/1.1",
    "Host: x",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    ...more,
    "",
    body,
  ].join("\r\n");
const bodyOf = (reply: string) => JSON.parse(reply.slice(reply.indexOf("{"))) as Seen;

async function lanes(
  pieces: readonly Piece[],
  count?: number,
  isInTurns?: boolean,
): Promise<{ heard: string; quick: number; slow: number }> {
  const before = { quick, slow };
  const heard = await exchange(laned, pieces, count, isInTurns);
  return { heard, quick: quick - before.quick, slow: slow - before.slow };
}

describe("the quick lane", () => {
  it("serves a plain request, whether or not its body comes with its head", async () => {
    const text = post("{}");
    for (const pieces of [[text], [text.slice(0, -2), "{}"], [text.slice(0, -1), "}"]]) {
      expect(await lanes(pieces)).toMatchObject({ quick: 1, slow: 0 });
    }
  });

  it("answers as Node would, header by header", async () => {
    expect(await exchange(laned, [post("{}", "X-A: b")])).toBe(await exchange(plain, [post("{}", "X-A: b")]));
  });

  it("streams in chunks, of which none is empty and none comes after the last", async () => {
    const heard = await exchange(laned, [post("{}").replace("/quick", "/stream")]);
    const [, body] = heard.split("Transfer-Encoding: chunked\r\n\r\n");
    expect(body).toBe("3\r\none\r\n3\r\ntwo\r\n2\r\n{}\r\n0\r\n\r\n");
  });

  it.each([
    ["another path", post("{}").replace("/quick", "/other")],
    ["a query", post("{}").replace("/quick", "/quick?a=b")],
    ["another method", post("{}").replace("POST", "PUT")],
    ["another version", post("{}").replace("HTTP/1.1", "HTTP/1.0")],
    ["another type", post("{}").replace("application/json", "text/plain")],
    ["chunks", post("2\r\n{}\r\n0\r\n\r\n").replace(/Content-Length: \d+/, "Transfer-Encoding: chunked")],
    ["a connection that shall close", post("{}", "Connection: close")],
    ["a header twice", post("{}", "X-A: 1", "x-a: 2")],
    ["a header called like something of every object", post("{}", "constructor: x")],
    ["a large body", post("x".repeat(70_000))],
    ["a body that the route does not take", post("not here")],
  ])("leaves %s to Node, with every byte", async (_, text) => {
    const { heard, ...counts } = await lanes([text]);
    expect(counts).toEqual({ quick: 0, slow: 1 });
    expect(heard).toBe(await exchange(plain, [text]));
  });

  it("lets Node refuse what is malformed", async () => {
    for (const text of [
      post("{}", "a : b"),
      post("{}", " folded"),
      post("{}", "Content-Length: 3"),
      post("{}").replace("Host: x", "x: y"),
    ]) {
      const { heard, ...counts } = await lanes([text]);
      expect(counts).toEqual({ quick: 0, slow: 0 });
      expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it("refuses two hosts, whatever the second one is and also where a socket is asked for", async () => {
    const upgrade = "GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    for (const text of [
      post("{}", "Host: x"),
      post("{}", "hOST: y"),
      post("{}", "Host:").replace("1.1", "1.0"),
      upgrade,
    ]) {
      for (const server of [laned, plain]) {
        const heard = await exchange(server, [text]);
        expect(heard).toMatch(/^HTTP\/1\.1 400 /);
        expect(heard).toContain("more than once");
      }
    }
  });

  it("goes back to no lane once it has left it, and serves all in their order", async () => {
    const { heard, ...counts } = await lanes([post("1"), post("not here"), post("3")], 3, true);
    expect(counts).toEqual({ quick: 1, slow: 2 });
    expect(heard.match(/"body":"[^"]*"/g)).toEqual(['"body":"1"', '"body":"not here"', '"body":"3"']);
  });

  it("sees in each of a connection's requests what Node sees, whether or not it is like the one before", async () => {
    const change = fc.constantFrom<[string | RegExp, string]>(
      ["Host: x", "Host: y"],
      [/Content-Length: (\d+)/, "content-length:\t$1 "],
      [/Content-Length: (\d+)/, "Content-Length: 0$1"],
      [/(Content-Length: .*)\r\n(X-A: .*)/, "$2\r\n$1"],
      ["X-A: 1", "X-A: 12"],
      ["X-A: 1", "X-A: 1\r\nX-B: 2"],
      ["", ""],
    );
    const request = fc.record({ body: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 120 }), change });
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 6 }), async (requests) => {
        const texts = requests.map(({ body, change: [from, to] }) => post(body, "X-A: 1").replace(from, to));
        const before = quick;
        const heard = await exchange(laned, texts, texts.length, true);
        taken += quick - before;
        expect(heard).toBe(await exchange(plain, texts, texts.length, true));
      }),
      { numRuns: 200 },
    );
    expect(taken).toBeGreaterThan(200);
  }, 60_000);

  it("lets a request that comes before its turn wait for it", async () => {
    const { heard } = await lanes([post("later"), post("2"), `${post("3")}${post("4")}`], 4);
    expect(heard.match(/"body":"[^"]*"/g)).toEqual(['"body":"later"', '"body":"2"', '"body":"3"', '"body":"4"']);
  });

  it.each([
    ["yes", 1],
    ["no", 2],
  ])("waits for what a handler must find out, and loses nothing: %s", async (answer, bySlow) => {
    decided = undefined;
    const pieces = [post(`find out: ${answer}`), isAsked, post("not here"), async () => decided!()];
    expect(await lanes(pieces, 2)).toMatchObject({ slow: bySlow });
  });

  it("tells a handler that its client has gone meanwhile", async () => {
    decided = undefined;
    closed = 0;
    const socket = net.connect(portOf(laned), "127.0.0.1", () => socket.write(post("find out: yes")));
    await isAsked();
    socket.destroy();
    // By the time a further client is heard the server has seen this one go.
    await exchange(laned, [post("{}")]);
    decided!();
    await expect.poll(() => closed).toBe(1);
  });

  it("sees in a request what Node sees, whatever it is and however it is cut", async () => {
    const name = fc.constantFrom(
      "X-A",
      "x-b",
      "Accept",
      "Authorization",
      "cookie",
      "Expect",
      "Connection",
      "TE",
      "Host",
    );
    const value = fc.oneof(
      fc.constantFrom(
        "",
        " ",
        "keep-alive",
        "close",
        "Keep-Alive, x",
        "100-continue",
        "a\tb",
        "\xff",
        "a\x01b",
        "a\rb",
      ),
      fc.string({ maxLength: 8 }),
    );
    const header = fc.tuple(name, fc.constantFrom(":", ": ", ":\t", " :"), value).map((parts) => parts.join(""));
    const requests = fc.record({
      extra: fc.array(header, { maxLength: 3 }),
      body: fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 20 }),
      cut: fc.integer({ min: 1, max: 200 }),
      line: fc.constantFrom("\r\n", "\r\n", "\r\n", "\n"),
    });
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(requests, async ({ extra, body, cut, line }) => {
        const text = post(body, ...extra).replaceAll("\r\n", line);
        const before = quick;
        const heard = await exchange(laned, [text.slice(0, cut), text.slice(cut)].filter(Boolean));
        taken += quick - before;
        expect(heard).toBe(await exchange(plain, [text]));
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(0);
  }, 60_000);

  it.each([
    ["the lane", post("{}")],
    ["Node", post("not here")],
  ])("says by %s, from when the server is to end, that the connection ends", async (_name, text) => {
    const server = new LanedServer(lane, limits, answerSlowly);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const socket = net.connect(portOf(server), "127.0.0.1", () => socket.write(text));
    let heard = "";
    const isAnswered = new Promise((resolve) =>
      socket.on("data", (bytes) => {
        heard += bytes;
        resolve(undefined);
      }),
    );
    await isAnswered;
    expect(heard).toMatch(/^connection: keep-alive\r$/im);
    heard = "";
    server.isEnding = true;
    socket.write(text);
    await new Promise((resolve) => socket.once("end", resolve));
    expect(heard.match(/^(?:connection|keep-alive):.*$/gim)).toEqual(["Connection: close"]);
    await new Promise((resolve) => server.close(resolve));
  });

  it("closes idle connections when the server closes, and lets the others finish", async () => {
    const server = new LanedServer(lane, limits, answerSlowly);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const idle = net.connect(portOf(server), "127.0.0.1");
    await new Promise((resolve) => idle.once("connect", resolve));
    const isClosed = new Promise((resolve) => idle.once("close", resolve));
    const running = exchange(server, [post("later")]);
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(2);
    const stopped = new Promise((resolve) => server.close(resolve));
    idle.resume();
    await isClosed;
    expect(bodyOf(await running).body).toBe("later");
    await stopped;
  });
});
