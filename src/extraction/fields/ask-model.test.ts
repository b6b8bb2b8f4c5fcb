import { describe, expect, it } from "vitest";
import { drawInvoice, languages, sampleInvoice } from "../../../tests/support/made-up-invoice.ts";
import type { FieldModel, ModelAnswer } from "../../ports/field-model.ts";
import { acceptAnswers, findOpenQuestions } from "./ask-model.ts";
import { type Extraction, extractFields } from "./extract-fields.ts";

const document = drawInvoice(sampleInvoice, languages.us!, "beside");
const never = new AbortController().signal;

async function askModel(
  model: FieldModel,
  read: typeof document,
  found: Extraction,
  asked: typeof questions,
  signal: AbortSignal,
): Promise<Extraction> {
  const { lines, open } = findOpenQuestions(read, found, asked);
  return acceptAnswers(read, found, open, await model.read(lines, open, signal));
}

/** Pretends to be a model that answers as told, and remembers what it was asked. */
function pretend(answers: Record<string, (lines: readonly string[]) => ModelAnswer>): FieldModel & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    read: async (lines, questions) => {
      asked.push(...questions.map((question) => question.name));
      return Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, answer(lines)]));
    },
  };
}
const lineWith = (lines: readonly string[], text: string): number => lines.findIndex((line) => line.includes(text)) + 1;
const questions = [
  { name: "invoice_number", type: "string", description: "" },
  { name: "contact", type: "string", description: "who" },
  { name: "street", type: "string", description: "" },
];
const extraction = () => {
  const found = extractFields(document);
  return { ...found, data: { ...found.data, contact: null, street: null } };
};

describe("a language model", () => {
  it("is asked only for what the rules left open", async () => {
    const model = pretend({});
    await askModel(model, document, extraction(), questions, never);
    expect(model.asked).toEqual(["contact", "street"]);
  });

  it("is believed when the line it cites contains the value, which then has a place", async () => {
    const model = pretend({ street: (lines) => ({ value: "Hafenweg 4", line: lineWith(lines, "Hafenweg 4") }) });
    const { data, fields } = await askModel(model, document, extraction(), questions, never);
    expect(data.street).toBe("Hafenweg 4");
    expect(fields.street).toMatchObject({ value: "Hafenweg 4", page: 1, box: expect.any(Array) });
  });

  it("is not believed when it invents, cites the wrong line, or none", async () => {
    for (const answer of [
      () => ({ value: "Dr. Nobody", line: 1 }),
      () => ({ value: "Hafenweg 4", line: 1 }),
      () => ({ value: "Hafenweg 4", line: null }),
      () => ({ value: "x", line: 9999 }),
    ]) {
      const { data } = await askModel(
        pretend({ contact: answer, street: answer }),
        document,
        extraction(),
        questions,
        never,
      );
      expect(data).toMatchObject({ contact: null, street: null });
    }
  });
});
