import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UpstreamHead } from "../../ports/model-upstream.ts";
import { MalformedReply, ReplyParser } from "./reply-parser.ts";

interface Read {
  status: number | undefined;
  type: string | undefined;
  body: string;
  isOver: boolean;
  isReusable: boolean;
  keepAliveMs: number | undefined;
  /** Bytes that belong to no reply. */
  excess: number;
}

/** Pushes the text in pieces of these lengths, over and over. */
function read(text: string, lengths: readonly number[] = [text.length], hasEnded = false): Read {
  let head: UpstreamHead | undefined;
  let body = "";
  const parser = new ReplyParser({
    onHead(given) {
      expect(head, "a second head").toBeUndefined();
      head = given;
    },
    onBody(bytes) {
      body += bytes.toString("latin1");
    },
  });
  const bytes = Buffer.from(text, "latin1");
  let at = 0;
  for (let piece = 0; at < bytes.length && !parser.isOver; piece++) {
    // As a socket lends them: overwritten afterwards.
    const lent = Buffer.from(bytes.subarray(at, at + lengths[piece % lengths.length]!));
    at += parser.push(lent);
    lent.fill(0);
  }
  if (hasEnded) parser.end();
  const { isOver, isReusable, keepAliveMs } = parser;
  const type = head?.header("content-type");
  return { status: head?.status, type, body, isOver, isReusable, keepAliveMs, excess: bytes.length - at };
}

const lines = (...all: string[]) => all.join("\r\n");
const counted = lines("HTTP/1.1 200 OK", "Content-Type: a/b", "Content-Length: 5", "", "hello");
const chunked = (...rest: string[]) => lines("HTTP/1.1 200 OK", "transfer-encoding: Chunked", "", ...rest);

describe("a reply of an upstream", () => {
  it("is read by its length, and may be followed by another", () => {
    expect(read(counted)).toMatchObject({
      status: 200,
      type: "a/b",
      body: "hello",
      isOver: true,
      isReusable: true,
      excess: 0,
    });
  });

  it("is read chunk by chunk, past extensions and trailers", () => {
    const text = chunked("5;a=b", "hello", "A ; x", " and more.", "0", "x-sum: 1", "x-more: 2", "", "");
    expect(read(text)).toMatchObject({ body: "hello and more.", isOver: true, isReusable: true, excess: 0 });
  });

  it("is read to the end of the connection where nothing tells its length, and is then the last", () => {
    const text = lines("HTTP/1.1 200 OK", "content-type: a/b", "", "hello");
    expect(read(text)).toMatchObject({ body: "hello", isOver: false });
    expect(read(text, [3], true)).toMatchObject({ body: "hello", isOver: true, isReusable: false });
  });

  it.each(["HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified"])("has no body by its status: %s", (status) => {
    expect(read(lines(status, "content-length: 5", "", ""))).toMatchObject({
      body: "",
      isOver: true,
      isReusable: true,
    });
  });

  it("is not what is said on the way", () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${counted}`;
    expect(read(text, [7])).toMatchObject({ status: 200, body: "hello" });
  });

  it.each([
    ["says close", lines("HTTP/1.1 200 OK", "Connection: x, Close", "content-length: 0", "", "")],
    ["is of version 1.0", lines("HTTP/1.0 200 OK", "connection: keep-alive", "content-length: 0", "", "")],
  ])("is the last of its connection when it %s", (_, text) => {
    expect(read(text)).toMatchObject({ isOver: true, isReusable: false });
  });

  it("tells how long its connection is kept", () => {
    const text = lines("HTTP/1.1 200 OK", "Keep-Alive: max=5, timeout=7", "content-length: 0", "", "");
    expect(read(text).keepAliveMs).toBe(7000);
  });

  it("ends where it says, and not with the bytes behind it", () => {
    expect(read(`${counted}HTTP/1.1 200`)).toMatchObject({ body: "hello", excess: 12 });
  });

  it.each([
    ["a status line that is none", "HTTP/2 200 OK\r\n\r\n"],
    ["a status that is none", "HTTP/1.1 99 x\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    [
      "both a length and an encoding",
      lines("HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked", "", ""),
    ],
    ["two lengths", lines("HTTP/1.1 200 OK", "Content-Length: 5", "content-length: 6", "", "")],
    ["a list of lengths", lines("HTTP/1.1 200 OK", "Content-Length: 5, 5", "", "")],
    ["a length with a sign", lines("HTTP/1.1 200 OK", "Content-Length: +5", "", "")],
    ["an encoding it cannot undo", lines("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked", "", "")],
    ["two encodings", lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "", "")],
    ["chunks in version 1.0", lines("HTTP/1.0 200 OK", "Transfer-Encoding: chunked", "", "")],
    ["a folded header", lines("HTTP/1.1 200 OK", "a: b", " c", "", "")],
    ["a space before the colon", lines("HTTP/1.1 200 OK", "content-length : 5", "", "")],
    ["a header without a name", lines("HTTP/1.1 200 OK", ": x", "", "")],
    ["a bare line feed", lines("HTTP/1.1 200 OK", "a: b\nc: d", "", "")],
    ["a bare carriage return", lines("HTTP/1.1 200 OK", "a: b\rc: d", "", "")],
    ["a null byte", lines("HTTP/1.1 200 OK", "a: b\0", "", "")],
    ["a head without end", `HTTP/1.1 200 OK\r\na: ${"x".repeat(40_000)}`],
    ["many heads on the way", "HTTP/1.1 100 Continue\r\n\r\n".repeat(20)],
    ["a chunk without a size", chunked("", "hello", "")],
    ["a chunk of negative size", chunked("-5", "hello", "")],
    ["a chunk of immeasurable size", chunked("fffffffffffff", "")],
    ["a chunk that is longer than it says", chunked("4", "hello", "0", "", "")],
    ["a chunk whose size ends in a bare line feed", chunked("5\nhello", "0", "", "")],
    ["a size line without end", chunked(`5;${"x".repeat(2000)}`)],
    ["trailers that are none", chunked("0", "no trailer", "", "")],
    ["trailers without end", chunked("0", ...Array.from({ length: 9000 }, () => "x-a: b"), "")],
  ])("is refused for %s, however it is cut", (_, text) => {
    expect(() => read(text)).toThrow(MalformedReply);
    expect(() => read(text, [1])).toThrow(MalformedReply);
  });

  it.each([
    ["in its head", counted.slice(0, 20)],
    ["in its body", counted.slice(0, -2)],
    ["in a chunk", chunked("5", "hel")],
    ["before its last chunk", chunked("5", "hello", "")],
    ["in its trailers", chunked("0", "a: b", "")],
  ])("is refused when the connection ends %s", (_, text) => {
    expect(() => read(text, [text.length], true)).toThrow(MalformedReply);
  });

  it("is the same wherever its bytes are cut", () => {
    const body = fc.string({ unit: "binary-ascii", maxLength: 60 });
    const bodies = fc.array(
      body.filter((text) => text !== ""),
      { maxLength: 5 },
    );
    const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(bodies, cuts, fc.boolean(), fc.boolean(), (parts, lengths, isChunked, hasTrailer) => {
        const whole = parts.join("");
        const chunks = parts.flatMap((part) => [part.length.toString(16), part]);
        const text = isChunked
          ? chunked(...chunks, "0", ...(hasTrailer ? ["a: b"] : []), "", "")
          : lines("HTTP/1.1 200 OK", `content-length: ${whole.length}`, "", whole);
        expect(read(text, lengths)).toMatchObject({ body: whole, isOver: true, isReusable: true, excess: 0 });
      }),
      { numRuns: 1000 },
    );
  });

  it("never does anything but read or refuse, whatever comes", () => {
    const pieces = fc.constantFrom(
      ..."HTTP/1.1 200 OK|\r\n|\r\n\r\n|0|5|hello|;|content-length: 5|transfer-encoding: chunked|:| |\n|\r".split("|"),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 20 }),
        (parts) => {
          const outcome = (lengths: number[]) => {
            try {
              return read(`HTTP/1.1 200 OK\r\n${parts.join("")}`, lengths, true);
            } catch (error) {
              expect(error).toBeInstanceOf(MalformedReply);
              return "refused";
            }
          };
          expect(outcome([1])).toEqual(outcome([1000]));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("brings nothing more while it is paused", () => {
    const bodies: string[] = [];
    const parser: ReplyParser = new ReplyParser({
      onHead() {},
      onBody(bytes) {
        bodies.push(bytes.toString());
        parser.isPaused = true;
      },
    });
    const bytes = Buffer.from(chunked("1", "a", "1", "b", "0", "", ""));
    const count = parser.push(bytes);
    expect(bodies).toEqual(["a"]);
    parser.isPaused = false;
    parser.push(bytes.subarray(count));
    expect(bodies).toEqual(["a", "b"]);
  });
});
