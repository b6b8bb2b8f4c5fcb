import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, rmSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../platform/errors.ts";
import { FolderInUse, StartError } from "./data-folder.ts";

/** Runs one admin command; what it returns is what the command prints as JSON. */
export type AdminHandler = (command: string, input: unknown) => Promise<unknown>;

interface Answer {
  result?: unknown;
  problem?: { kind: Problem["kind"]; message: string };
}

const socketName = "admin.sock";
/** The longest path a Unix socket may have on Linux and macOS. */
const longestSocketPath = 100;

/** Owning this socket is owning the embedded database: two openers would lose each other's writes. It is also how commands
 *  reach the server of this data folder, whatever its database. A killed owner leaves a file nobody answers on, which the next start removes. */
export async function ownDataFolder(dataDir: string, handle: AdminHandler): Promise<{ close(): Promise<void> }> {
  const { path, cleanUp } = shortPath(dataDir);
  for (let attempt = 0; attempt < 5; attempt++) {
    const server = net.createServer({ allowHalfOpen: true }, (connection) => serveConnection(connection, handle));
    const failure = await listen(server, path);
    if (!failure) {
      chmodSync(path, 0o600);
      server.unref();
      return {
        async close() {
          await new Promise((resolve) => server.close(resolve));
          cleanUp();
        },
      };
    }
    if (failure.code !== "EADDRINUSE")
      throw new StartError(`The data folder ${dataDir} cannot be locked: ${failure.message}.`);
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    const owner = await askOwner(path);
    if (owner !== undefined) {
      throw new FolderInUse(
        `The data folder ${dataDir} is in use by another Parlance (process ${owner}). Stop it, or set SVC_DATA_DIR to another folder.`,
      );
    }
    // Remove the stale file, but not one that another start has just put in its place.
    if (inode !== undefined && statSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
  }
  throw new FolderInUse(`The data folder ${dataDir} is being opened by another Parlance. Try again.`);
}

/** Undefined when no server owns the data folder, else the server's answer. A server that ends before it answers may have done
 *  what it was asked: that is an error, never a reason to ask again. */
export async function callOwner(
  dataDir: string,
  command: string,
  input: unknown,
): Promise<{ result: unknown } | undefined> {
  if (!existsSync(join(dataDir, socketName))) return undefined;
  const { path, cleanUp } = shortPath(dataDir);
  try {
    const text = await exchange(path, JSON.stringify({ command, input }));
    if (text === undefined) return undefined;
    if (text.trim() === "") throw new Problem("engine_unavailable", endedEarly);
    const answer = JSON.parse(text) as Answer;
    if (answer.problem) throw new Problem(answer.problem.kind, answer.problem.message);
    return { result: answer.result };
  } finally {
    cleanUp();
  }
}

function serveConnection(connection: net.Socket, handle: AdminHandler): void {
  let text = "";
  connection.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  connection.on("error", () => {});
  connection.on("end", async () => {
    let answer: Answer;
    try {
      const { command, input } = JSON.parse(text) as { command: string; input: unknown };
      // The caller must know from here on that it may have taken effect, whatever happens to this process.
      connection.write(begun);
      answer = { result: command === "pid" ? process.pid : await handle(command, input) };
    } catch (error) {
      const { kind, message } =
        error instanceof Problem ? error : { kind: "internal" as const, message: String(error) };
      answer = { problem: { kind, message } };
    }
    connection.end(JSON.stringify(answer));
  });
}

/** Blank, so that what follows it is still the answer. */
const begun = " ";
const endedEarly =
  "The server ended before it answered. Start it, look whether the command took effect, and repeat it if it did not.";

async function askOwner(path: string): Promise<number | undefined> {
  const text = await exchange(path, JSON.stringify({ command: "pid" })).catch(() => undefined);
  return text?.trim() ? ((JSON.parse(text) as Answer).result as number) : undefined;
}

/** Undefined when nobody takes the request, blank when somebody did and left without an answer. */
function exchange(path: string, text: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const connection = net.connect({ path, allowHalfOpen: true });
    let answer = "";
    connection.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    connection.once("connect", () => connection.end(text));
    connection.once("close", () => resolve(answer === "" ? undefined : answer));
    connection.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(undefined);
      else if (error.code === "ECONNRESET" || error.code === "EPIPE") resolve(answer === "" ? undefined : answer);
      else reject(error);
    });
  });
}

function listen(server: net.Server, path: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once("error", resolve);
    server.listen(path, () => resolve(undefined));
  });
}

/** A socket's path may hold about a hundred bytes, a data folder's may hold thousands: a short link leads to it. */
function shortPath(dataDir: string): { path: string; cleanUp(): void } {
  const direct = join(dataDir, socketName);
  if (Buffer.byteLength(direct) <= longestSocketPath) return { path: direct, cleanUp() {} };
  const link = join(tmpdir(), `parlance-${randomBytes(6).toString("hex")}`);
  symlinkSync(dataDir, link);
  return { path: join(link, socketName), cleanUp: () => unlinkSync(link) };
}
