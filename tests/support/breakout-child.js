// An engine child that has been taken over: it tries what whoever sends a document would want. Plain JavaScript, because only built
// children go into the cage.
import { spawn, spawnSync } from "node:child_process";
import dns from "node:dns/promises";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import { Worker } from "node:worker_threads";
import koffi from "koffi";
import { serveChild } from "../../dist/adapters/engines/host/serve-child.js";

const attempt = async (action) => {
  try {
    return { got: (await action()) ?? true };
  } catch (error) {
    return { refused: error.code ?? String(error) };
  }
};

const connect = (where) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(where, () => resolve("connected"));
    socket.once("error", reject);
  });

const tries = {
  network: ({ port }) => connect({ host: "127.0.0.1", port }),
  listening: () =>
    new Promise((resolve, reject) => {
      const server = net.createServer().once("error", reject);
      server.listen(0, "127.0.0.1", () => resolve("listening"));
    }),
  names: () => dns.lookup("localhost", { hints: 0 }).then(() => dns.resolve("example.org")),
  socket: ({ socket }) => connect(socket),
  file: ({ file }) => fs.readFileSync(file, "utf8"),
  fileOfAnotherThread: ({ file }) => fs.promises.readFile(file, "utf8"),
  fileOfAWorker: ({ file }) =>
    new Promise((resolve, reject) => {
      const code = `require("node:worker_threads").parentPort.postMessage(require("node:fs").readFileSync(${JSON.stringify(file)}, "utf8"))`;
      new Worker(code, { eval: true }).once("message", resolve).once("error", reject);
    }),
  folder: ({ folder }) => fs.readdirSync(folder),
  writing: ({ folder }) => fs.writeFileSync(`${folder}/planted`, "x"),
  emptying: ({ file }) => fs.truncateSync(file),
  rights: ({ file }) => fs.chmodSync(file, 0o666),
  settings: () => fs.readFileSync(`/proc/${process.ppid}/environ`, "utf8"),
  program: () => {
    const { error, pid } = spawnSync("/bin/true");
    if (error) throw error;
    return pid;
  },
  server: () => process.kill(process.ppid, 0),
  rootByNumber: () => {
    const call = koffi.load("libc.so.6").func("long syscall(long, long)");
    const setuid = process.arch === "x64" ? 105 : 146;
    if (call(setuid, 12345) !== 0) throw Object.assign(new Error(), { code: `errno ${koffi.errno()}` });
  },
  datagrams: () => {
    const pair = koffi.load("libc.so.6").func("int socketpair(int, int, int, _Out_ int *)");
    if (pair(1, 2, 0, [0, 0]) < 0) throw Object.assign(new Error(), { code: `errno ${koffi.errno()}` });
  },
  priority: () => {
    // The one that it has: what matters is whether it may.
    const setPriority = koffi.load("libc.so.6").func("int setpriority(int, int, int)");
    if (setPriority(0, process.ppid, os.getPriority(process.ppid)) < 0)
      throw Object.assign(new Error(), { code: `errno ${koffi.errno()}` });
  },
  socketByNumber: () => {
    const socket = koffi.load("libc.so.6").func("int socket(int, int, int)");
    if (socket(1, 1, 0) < 0) throw Object.assign(new Error(), { code: `errno ${koffi.errno()}` });
  },
};

serveChild({
  load: async () => ({}),
  tasks: {
    async *attempt({ name, target }) {
      yield await attempt(() => tries[name](target));
    },
    async *processes({ count }) {
      let started = 0;
      for (let i = 0; i < count; i++) {
        const outcome = await attempt(
          () =>
            new Promise((resolve, reject) => {
              const child = spawn("/bin/sleep", ["1"], { stdio: "ignore" });
              child.once("spawn", resolve).once("error", reject);
            }),
        );
        if (outcome.got) started += 1;
      }
      yield started;
    },
    async *memory({ megabytes }) {
      const kept = [];
      while (kept.length < megabytes) {
        kept.push(Buffer.alloc(1_000_000, 1));
        yield kept.length;
      }
    },
    async *program({ path }) {
      yield spawnSync(path, ["-c", "cat /etc/hostname; echo ran"], { encoding: "utf8" }).stdout;
    },
  },
});
