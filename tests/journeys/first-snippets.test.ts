import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksModels } from "../support/local-speech.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

interface FirstRequest {
  service: string;
  snippets: { label: string; code: string }[];
}

let server: TestServer;
let folder: string;
const requests = new Map<string, FirstRequest>();
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), "parlance-snippets-"));
  copyFileSync(join(root, "docs", "examples", "invoice.pdf"), join(folder, "invoice.pdf"));
  // By a variable: the pages have a TypeScript configuration of their own.
  const pages = join(root, "web", "dashboard", "lib", "first-requests.ts");
  const { firstRequests } = (await import(pages)) as {
    firstRequests(services: { name: string; baseUrl: string }[], key: string): FirstRequest[];
  };
  const services = [
    { name: "voice", baseUrl: server.url },
    { name: "gateway", baseUrl: `${server.url}/gateway/v1` },
    { name: "extraction", baseUrl: `${server.url}/extraction` },
  ];
  for (const request of firstRequests(services, server.key)) requests.set(request.service, request);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As somebody would who pastes it into a terminal or a file. */
async function paste(label: string, code: string): Promise<string> {
  if (label === "curl") return (await run("bash", ["-c", code], { cwd: folder })).stdout;
  const [file, command] =
    label === "Python"
      ? ["first.py", ["python3"]]
      : ["first.mts", [process.execPath, "--import", join(root, "node_modules", "tsx", "dist", "loader.mjs")]];
  writeFileSync(join(folder, file as string), code);
  const [program, ...args] = [...(command as string[]), file as string];
  return (await run(program!, args, { cwd: folder })).stdout;
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.each(["curl", "TypeScript", ...(hasPython ? ["Python"] : [])])(
  "the first requests in %s work when pasted",
  (label) => {
    const snippet = (service: string) => requests.get(service)!.snippets.find((one) => one.label === label)!.code;

    it.skipIf(lacksModels("kokoro-82m"))("for speech", async () => {
      rmSync(join(folder, "hello.wav"), { force: true });
      await paste(label, snippet("voice"));
      expect(readFileSync(join(folder, "hello.wav")).subarray(0, 4).toString()).toBe("RIFF");
    });

    it.skipIf(lacksModels("tinyllama-1b"))("for the gateway", async () => {
      expect(await paste(label, snippet("gateway"))).toMatch(/\w/);
    });

    it("for extraction", async () => {
      expect(await paste(label, snippet("extraction"))).toContain("invoice");
    });
  },
);
