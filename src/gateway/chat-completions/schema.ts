import { z } from "zod";
import { checkPlainly } from "../../platform/http/validate.ts";
import { model } from "../fields.ts";
import { isPlainChat } from "./is-plain-chat.ts";

/** Names only what the gateway itself must know; everything else passes. */
export const chatRequest = checkPlainly(
  z.looseObject({
    model,
    messages: z
      .array(z.looseObject({ role: z.string() }))
      .min(1)
      .meta({ description: "OpenAI-style messages." }),
    stream: z.boolean().nullish().meta({ description: "true enables server-sent events." }),
    temperature: z.number().nullish(),
    max_tokens: z.int().min(0).nullish(),
    max_completion_tokens: z.int().min(0).nullish(),
    n: z.int().min(1).max(128).nullish(),
    tools: z.array(z.any()).nullish(),
    top_p: z.number().nullish(),
  }),
  isPlainChat,
);

export const completionsRequest = z.looseObject({
  model,
  prompt: z.union([z.string(), z.array(z.any()).min(1)]),
  stream: z.boolean().nullish(),
  max_tokens: z.int().min(0).nullish(),
});

export const responsesRequest = z.looseObject({
  model,
  stream: z.boolean().nullish(),
  max_output_tokens: z.int().min(0).nullish(),
});

export const messagesRequest = z.looseObject({
  model,
  messages: z.array(z.looseObject({ role: z.string() })).min(1),
  stream: z.boolean().nullish(),
  max_tokens: z.int().min(0),
});

export const countRequest = messagesRequest.omit({ max_tokens: true });

/** A response or a message, as its dialect has it. */
export const otherReply = z.looseObject({ id: z.string() });

/** What models of all providers have in common; each may add more. */
const toolCall = z.looseObject({
  id: z.string(),
  type: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
});
const choice = z.looseObject({
  index: z.int().optional(),
  message: z.looseObject({
    role: z.string().optional(),
    content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  finish_reason: z.string().nullish(),
});
const usage = z.looseObject({
  prompt_tokens: z.int().optional(),
  completion_tokens: z.int().optional(),
  total_tokens: z.int().optional(),
});

export const chatReply = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(choice),
  usage: usage.nullish(),
});
