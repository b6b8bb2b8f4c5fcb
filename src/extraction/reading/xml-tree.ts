import { SaxesParser } from "saxes";

/** An element with its name's prefix dropped. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  text: string;
}

const maxNodes = 200_000;
const maxDepth = 100;

/** Reads XML into a tree; undefined when it is broken, declares a document type, or is out of proportion. */
export function parseXml(xml: string): XmlNode | undefined {
  const parser = new SaxesParser({ fragment: false });
  const root: XmlNode = { name: "", attributes: {}, children: [], text: "" };
  const open: XmlNode[] = [root];
  let nodes = 0;
  const refuse = (): never => {
    throw new Error("refused");
  };
  parser.on("doctype", refuse);
  parser.on("error", refuse);
  parser.on("opentag", (tag) => {
    if (++nodes > maxNodes || open.length > maxDepth) refuse();
    const node: XmlNode = {
      name: tag.name.slice(tag.name.indexOf(":") + 1),
      attributes: tag.attributes as Record<string, string>,
      children: [],
      text: "",
    };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  parser.on("closetag", () => void open.pop());
  const addText = (text: string): void => {
    open.at(-1)!.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  try {
    parser.write(xml.replace(/^\ufeff/, "")).close();
  } catch {
    return undefined;
  }
  return root.children[0];
}

/** All elements at a path of names, looked for among direct children at each step. */
export function allAt(node: XmlNode, path: readonly string[]): XmlNode[] {
  return path.reduce<XmlNode[]>(
    (nodes, name) => nodes.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [node],
  );
}
