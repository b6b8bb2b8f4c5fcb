import { SaxesParser } from "saxes";
import { Problem } from "../../../platform/errors.ts";

export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

const maxDepth = 256;
const maxNodes = 5_000_000;

/** Walks XML without document types or entities, names without their prefix, bounded in depth and number of nodes. */
export function walkXml(xml: string, handlers: XmlHandlers): void {
  const parser = new SaxesParser({ fragment: false });
  let depth = 0;
  let nodes = 0;
  parser.on("doctype", () => {
    throw new Problem("unreadable_document", "The file declares a document type, which is not accepted.");
  });
  parser.on("error", (error) => {
    throw new Problem("unreadable_document", "The file is damaged: its XML could not be read.", { cause: error });
  });
  parser.on("opentag", (tag) => {
    depth++;
    nodes++;
    if (depth > maxDepth || nodes > maxNodes) {
      throw new Problem("unreadable_document", "The file's XML is nested too deeply or has too many elements.");
    }
    handlers.open?.(localName(tag.name), tag.attributes as Record<string, string>);
  });
  parser.on("closetag", (tag) => {
    depth--;
    handlers.close?.(localName(tag.name));
  });
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("cdata", (text) => handlers.text?.(text));
  parser.write(xml).close();
}

/** An attribute by its name without prefix. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  if (name in attributes) return attributes[name];
  const key = Object.keys(attributes).find((candidate) => localName(candidate) === name);
  return key === undefined ? undefined : attributes[key];
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
