import { expect, it } from "vitest";
import { firstRequests } from "./first-start.ts";

it("the first requests are those of the services that are served", () => {
  const commandsOf = (...services: string[]) =>
    firstRequests("http://x", "parl_k", services)
      .match(/curl -s \S+/g)
      ?.map((command) => command.replace("curl -s http://x", ""));
  const all = ["/v1/speech", "/gateway/v1/chat/completions", "/extraction/v1/extract"];
  expect(commandsOf("voice", "gateway", "extraction", "dashboard")).toEqual(all);
  expect(commandsOf("gateway")).toEqual([all[1]]);
  expect(firstRequests("http://x", "parl_k", ["dashboard"])).toBe("");
});
