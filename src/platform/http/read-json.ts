import type { FastifyRequest } from "fastify";
import { networkOf } from "../client-address.ts";
import { decodeUtf8 } from "../decode-utf8.ts";
import { checkJsonShape, lookAtShape } from "./json-shape.ts";
import { parseInSteps } from "./parse-in-steps.ts";
import { type Steps, Turns } from "./turns.ts";

type Parse = (text: string) => unknown;

/** Some two milliseconds of work: what is larger is read in steps. */
const largeBytes = 128 * 1024;

const turns = new Turns();

/** Makes values of a JSON body, after a look at what it is. A large one takes its workspace's turn among the large ones, so that
 *  nobody else's request has to wait for the whole of it. */
export function readJsonBody(
  request: FastifyRequest,
  bytes: Buffer,
  parse: Parse,
  done: (error: Error | null, body?: unknown) => void,
): void {
  if (bytes.length >= largeBytes) {
    const holder = request.caller?.workspace.id ?? networkOf(request.ip);
    turns.run(holder, readInSteps(bytes, parse)).then((body) => done(null, body), done);
    return;
  }
  let body: unknown;
  try {
    checkJsonShape(bytes);
    body = parse(decodeUtf8(bytes));
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

function* readInSteps(bytes: Buffer, parse: Parse): Steps<unknown> {
  yield* lookAtShape(bytes);
  yield;
  return yield* parseInSteps(bytes, parse);
}
