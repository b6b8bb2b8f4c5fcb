import { expect, it } from "vitest";
import type { Playground } from "../../support/dashboard/playground.ts";
import { eventually, patience } from "../../support/eventually.ts";
import { chunk, completion, event, openEvents, sendJson } from "../../support/fake-upstream.ts";

/** Texts and models. */
export function wordsStories(play: Playground): void {
  it("translates, tells the language and the engine, and swaps the sides", async () => {
    await play.ada.open(`${play.base}/translate`);
    await play.ada.fill("Text", "Where is the station?");
    await play.ada.press("Translate");
    await play.answered();
    await eventually(() => play.ada.text()).toMatch(/estación/i);
    await eventually(() => play.ada.text()).toMatch(/from English[\s\S]*svc-translate-1/);
    expect(await play.runShown("curl")).toMatch(/estación/i);
    expect(await play.runShown("TypeScript")).toMatch(/estación/i);
    await play.ada.press("Swap");
    await eventually(() => play.ada.page.getByLabel("Text").inputValue()).toMatch(/estación/i);
    await eventually(() => play.ada.page.getByLabel("Into").inputValue()).toMatch(/^en/);
    await play.expectGoodLooks();
  });

  it("chats word by word, counts tokens and stops when told to", async () => {
    await play.ada.open(`${play.base}/chat`);
    await play.ada.page.getByLabel("System prompt").fill("You answer in one short sentence.");
    await play.ada.press("Send");
    await play.answered();
    const log = play.ada.page.getByRole("log");
    // What so small a model says is its own affair.
    await eventually(() => log.innerText()).toMatch(/Answer:\s+\S[\s\S]*tokens in[\s\S]*cached/);
    await play.ada.fill("Message", "Tell me a very long story about ten ships.");
    await play.ada.press("Send");
    await log
      .getByText(/^Answer:/)
      .nth(1)
      .waitFor(patience);
    // It may have come to its end by itself.
    await play
      .button("Stop")
      .click({ timeout: 1000 })
      .catch(() => {});
    await play.button("Stop").waitFor({ state: "detached", ...patience });
    const said = await log.innerText();
    await play.ada.page.waitForTimeout(500);
    expect(await log.innerText()).toBe(said);
    expect(await play.shownCode("curl")).toContain("$PARLANCE_API_KEY");
    await play.expectGoodLooks();
  });

  it("maps texts by how alike they are", async () => {
    await play.ada.open(`${play.base}/embeddings`);
    await play.ada.press("Compare");
    await play.answered();
    const table = play.ada.page.getByRole("region", { name: "Similarity of every pair" });
    const row = async (at: number) =>
      (await table.getByRole("row").nth(at).getByRole("cell").allInnerTexts()).map(Number);
    const [, kitten, , invoice] = await row(1);
    expect(kitten!).toBeGreaterThan(invoice! + 0.1);
    expect(JSON.parse(await play.runShown("curl")).dimensions).toBe(384);
    expect(await play.runShown("OpenAI client")).toContain("384");
    await play.expectGoodLooks();
  });

  it("asks two models of the gateway side by side, and holds an answer to a schema", async () => {
    play.upstream.on("/v1/chat/completions", (_, response) => {
      openEvents(response);
      response.end([event(chunk("Paris.")), event("[DONE]")].join(""));
    });
    await play.ada.open(`${play.base}/gateway`);
    await play.ada.page.getByLabel("Two side by side").check();
    await play.ada.page.getByLabel("Second model").selectOption("acme/chat");
    await play.ada.press("Ask");
    await eventually(() => play.card("Second answer").innerText()).toMatch(/acme[\s\S]*Paris\.[\s\S]*first word/);
    // What so small a model says is its own affair.
    const local = /tinyllama\S*\s+\S[\s\S]*first word[\s\S]*costs nothing/;
    await eventually(() => play.card("Answer").innerText()).toMatch(local);
    await play.ada.page.getByLabel("Two side by side").uncheck();
    await play.ada.page.getByText("JSON schema", { exact: true }).click();
    await play.ada.press("Ask");
    await eventually(() => play.card("Answer").innerText()).toMatch(/"city"[\s\S]*costs nothing/);
    const reply = JSON.parse(await play.runShown("curl"));
    expect(Object.keys(JSON.parse(reply.choices[0].message.content))).toContain("city");
    await play.expectGoodLooks();
  });

  it("lets a model of the catalog call tools, follow a schema and draw, and tells what it costs", async () => {
    const { ada, upstream } = play;
    const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
    const told = () => upstream.received.at(-1)!.json;
    upstream.on("/v1/chat/completions", ({ json }, response) => {
      if (!json.stream) return sendJson(response, completion(usage));
      openEvents(response);
      const call = (index: number, called: object) => ({
        choices: [{ delta: { tool_calls: [{ index, function: called }] } }],
      });
      const parts = json.tools
        ? [call(0, { name: "get_time", arguments: '{"zone":' }), call(0, { arguments: '"Europe/Paris"}' })]
        : [chunk('{"city": '), chunk('"Paris"}')];
      response.end([...parts.map((part) => event(part)), event(chunk("", { usage })), event("[DONE]")].join(""));
    });
    const editor = (name: string) => ada.page.getByRole("textbox", { name, exact: true });
    await ada.open(`${play.base}/gateway`);
    await ada.page.getByLabel("Model", { exact: true }).selectOption("acme/chat");
    await ada.page.getByText("Tools", { exact: true }).click();
    await editor("Tools").fill("[{");
    await eventually(() => play.button("Ask").isDisabled()).toBe(true);
    await editor("Tools").fill(
      '[{"type": "function", "function": {"name": "get_time", "parameters": {"type": "object"}}}]',
    );
    await ada.press("Ask");
    await play.card("Answer").getByText('get_time({"zone":"Europe/Paris"})').waitFor();
    expect(told().tools[0].function.name).toBe("get_time");
    await play
      .card("Answer")
      .getByText(/about \$0\.002/)
      .waitFor();

    await ada.page.getByText("JSON schema", { exact: true }).click();
    await editor("JSON schema").fill('{"type": "object", "properties": {"city": {"type": "string"}}}');
    await ada.press("Ask");
    await play.card("Answer").getByText('{"city": "Paris"}').waitFor();
    expect(told().response_format.json_schema.schema.properties).toEqual({ city: { type: "string" } });
    expect(await play.runShown("OpenAI client")).toContain("Hello.");
    expect(told().response_format.type).toBe("json_schema");

    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    upstream.on("/v1/images/generations", (_, response) =>
      sendJson(response, { created: 1, data: [{ b64_json: png }] }),
    );
    await ada.page.getByLabel("Model", { exact: true }).selectOption("acme/draw");
    await ada.fill("Prompt", "A lighthouse");
    await ada.press("Ask");
    const picture = ada.page.getByRole("img", { name: "Made by the model" });
    await picture.waitFor();
    await eventually(() =>
      picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(1);
    expect(told()).toMatchObject({ model: "acme/draw", prompt: "A lighthouse" });
    expect(await play.runShown("OpenAI client")).toContain("1 picture");
    await play.expectGoodLooks();
  });
}
