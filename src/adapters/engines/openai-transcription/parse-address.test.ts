import { describe, expect, it } from "vitest";
import { splitEngines } from "../own-weights/parse-address.ts";
import { parseRecogniser } from "./parse-address.ts";

describe("the setting for recognisers", () => {
  it("names several, each with the languages it serves", () => {
    const parts = splitEngines("local, openai:http://gpu:8000/v1#whisper?languages=de,fr,openai:https://b/v1");
    expect(parts).toEqual(["local", "openai:http://gpu:8000/v1#whisper?languages=de,fr", "openai:https://b/v1"]);
    expect(parseRecogniser(parts[1]!)).toEqual({
      baseUrl: "http://gpu:8000/v1",
      model: "whisper",
      languages: ["de", "fr"],
    });
    expect(parseRecogniser(parts[2]!)).toEqual({ baseUrl: "https://b/v1", model: "whisper-1", languages: [] });
  });

  it.each(["", "whisper", "openai:ftp://x", "openai:http://x y"])("does not take %j for an address", (text) => {
    expect(parseRecogniser(text)).toBeUndefined();
  });
});
