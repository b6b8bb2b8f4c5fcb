import PostalMime from "postal-mime";
import { Problem } from "../../../platform/errors.ts";
import type { FlowBlock } from "./lay-out-flow.ts";
import { readHtml } from "./read-html.ts";
import { readText } from "./read-text.ts";

export interface MailAttachment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const maxAttachments = 20;

/** Reads a message: its heading lines, its body, and what is attached. */
export async function readMail(bytes: Uint8Array): Promise<{ blocks: FlowBlock[]; attachments: MailAttachment[] }> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 32 }).catch((cause: unknown) => {
    throw new Problem("unreadable_document", "The message is damaged and could not be read.", { cause });
  });
  const heading: [string, string | undefined][] = [
    ["From", mail.from ? showAddress(mail.from) : undefined],
    ["To", mail.to?.map(showAddress).join(", ")],
    ["Date", mail.date],
    ["Subject", mail.subject],
  ];
  const blocks: FlowBlock[] = heading
    .filter((entry): entry is [string, string] => Boolean(entry[1]))
    .map(([name, value]) => ({ kind: "line", segments: [{ text: `${name}: ${value}`.slice(0, 500), column: 5 }] }));
  blocks.push({ kind: "break" });
  // A table survives only in the HTML form of the body.
  if (mail.html && (/<t[dh][\s>]/i.test(mail.html) || !mail.text)) blocks.push(...readHtml(mail.html));
  else if (mail.text) blocks.push(...readText(mail.text));
  const attachments = mail.attachments.slice(0, maxAttachments).map((attachment) => ({
    name: attachment.filename ?? "attachment",
    bytes:
      typeof attachment.content === "string" ? Buffer.from(attachment.content) : new Uint8Array(attachment.content),
  }));
  return { blocks, attachments };
}

function showAddress(address: { name?: string | undefined; address?: string | undefined }): string {
  return address.name ? `${address.name} <${address.address ?? ""}>` : (address.address ?? "");
}
