import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { event, openEvents } from "../support/fake-upstream.ts";
import { openGateway, openUpstream } from "../support/open-gateway.ts";

const run = promisify(execFile);
/** Its last version in JavaScript, 19 MB; those after it are programs of 370 MB for one kind of machine each. */
const version = "2.1.112";
const model = "acme/chat";
const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 };

const folder = await mkdtemp(join(tmpdir(), "claude-code-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, "note.txt"), "The word is heron.\n");
const upstream = await openUpstream();
upstream.on("/v1/chat/completions", ({ json }, response) => {
  const result = json.messages.find(({ role }: { role: string }) => role === "tool")?.content as string | undefined;
  const canRead = json.tools?.some((tool: { function: { name: string } }) => tool.function.name === "Read");
  openEvents(response);
  const say = (delta: object, finish_reason: string | null = null) =>
    response.write(event({ id: "gen_1", created: 1, model, choices: [{ index: 0, delta, finish_reason }] }));
  const reads = canRead && result === undefined;
  if (reads) {
    const call = { name: "Read", arguments: JSON.stringify({ file_path: join(folder, "note.txt") }) };
    say({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] });
  } else say({ content: `It is ${/The word is (\w+)/.exec(result ?? "")?.[1]}.` });
  say({}, reads ? "tool_calls" : "stop");
  response.end(event({ id: "gen_1", created: 1, model, choices: [], usage }) + event("[DONE]"));
});
const server = await openGateway([upstream]);

/** Where npm keeps it; fetched at its first use, for its licence keeps it out of what we install. */
async function findProgram(): Promise<string | undefined> {
  const asked = ["exec", "--yes", "--prefer-offline", `--package=@anthropic-ai/claude-code@${version}`];
  const found = await run("npm", [...asked, "--", "which", "claude"]).catch(() => undefined);
  return found?.stdout.trim();
}

it("Claude Code reads a file by a tool and answers, with a model that knows chat completions only", async (context) => {
  const program = await findProgram();
  if (!program) return context.skip(`npm cannot fetch @anthropic-ai/claude-code@${version} here`);
  const { key } = await server.newAccount("1");
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ANTHROPIC_BASE_URL: server.base.replace(/\/v1$/, ""),
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_SMALL_FAST_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  const args = ["-p", "Which word is in note.txt?", "--model", model, "--allowedTools", "Read"];
  const started = run(program, [...args, "--output-format", "json"], { env, cwd: folder });
  started.child.stdin?.end();
  const { stdout } = await started;
  expect(JSON.parse(stdout)).toMatchObject({ subtype: "success", is_error: false, result: "It is heron." });
  expect(Number(await server.balance(key))).toBeLessThan(1);
});
