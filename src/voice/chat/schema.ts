import { z } from "zod";
import { fitCharacters } from "../../platform/characters.ts";
import { tokenUsage } from "../fields.ts";

const mostCharacters = 32_000;
const mostMessages = 256;

export const chatMessage = z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() });

export const chatRequest = z
  .strictObject({
    message: z.string().optional().meta({ description: "One user message." }),
    messages: z.array(chatMessage).min(1).max(mostMessages).optional().meta({ description: "Overrides message." }),
    temperature: z.number().min(0).max(2).optional(),
    model: z.string().default("svc-chat-1"),
    stream: z.boolean().default(false).meta({ description: "true answers with Server-Sent Events." }),
  })
  .superRefine((request, context) => {
    const contents = request.messages?.map(({ content }) => content) ?? [request.message ?? ""];
    const complain = (message: string) => context.addIssue({ code: "custom", message: `=${message}` });
    if (contents.every((content) => content.trim() === "")) complain('Send "message" or "messages" with some text.');
    if (!fitCharacters(contents, mostCharacters)) {
      complain(`The messages have more than ${mostCharacters} characters in total.`);
    }
  });

export const chatReply = z.object({ reply: z.string(), model: z.string(), usage: tokenUsage });
