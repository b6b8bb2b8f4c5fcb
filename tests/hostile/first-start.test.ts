import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { call } from "../support/call.ts";
import { makeKey, runCli, startCli } from "../support/run-cli.ts";

/** More with FIRST_STARTS=30; each takes the time of two starts. */
const rounds = Number(process.env.FIRST_STARTS ?? 3);
const longestStartMs = 2500;

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "parlance-first-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data");
}

it("a first start that is killed at any moment leaves nothing that keeps the next from working", async () => {
  for (let round = 0; round < rounds; round++) {
    const SVC_DATA_DIR = scratch();
    const first = startCli(["serve", "--port", "0"], { SVC_DATA_DIR });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestStartMs));
    first.process.kill("SIGKILL");
    await first.finished;
    const next = startCli(["serve", "--port", "0"], { SVC_DATA_DIR });
    const url = /listening on (\S+)/.exec(await next.seen(/listening on \S+/))![1];
    const key = await makeKey(SVC_DATA_DIR);
    expect((await call(`${url}/gateway/v1/credits`, { key })).json).toMatchObject({ balance: "10.00" });
    next.process.kill("SIGTERM");
    await next.finished;
  }
});

it("a first start that finds its port taken costs nobody the first key", async () => {
  const SVC_DATA_DIR = scratch();
  const taken = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as net.AddressInfo;
  expect((await runCli(["serve", "--port", String(port)], { SVC_DATA_DIR })).code).toBe(1);
  taken.close();
  const keys = await runCli(["keys", "list", "--json"], { SVC_DATA_DIR });
  expect(JSON.parse(keys.out)).toEqual([]);
});
