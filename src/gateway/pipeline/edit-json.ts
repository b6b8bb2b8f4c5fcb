/** What becomes of a member: removed, its value written anew, or left; then what is inside it is looked at, unless it is "skip".
 *  `append` is a further member for the object that it is. */
export type MemberEdit = { remove: true } | { replace: string } | { append: string } | "skip" | undefined;

/** Names the members from the outside in; those of lists have numbers. */
export type DecideMember = (path: readonly (string | number)[], value: unknown) => MemberEdit;

interface Cut {
  from: number;
  to: number;
  text: string;
}

/** Edits JSON without writing it anew: every byte that is not part of an edited member stays as it is, whatever its numbers, order or
 *  blanks. `parsed` is what JSON.parse made of `text`; of members with the same name the last is that, and the others are removed.
 *  Returns the same text when nothing was edited. */
export function editJson(text: string, parsed: unknown, decide: DecideMember): string {
  const cuts: Cut[] = [];
  walk(text, skipBlanks(text, 0), parsed, [], decide, cuts);
  if (cuts.length === 0) return text;
  let edited = "";
  let at = 0;
  for (const { from, to, text: replacement } of cuts) {
    edited += text.slice(at, from) + replacement;
    at = to;
  }
  return edited + text.slice(at);
}

interface Member {
  name: string | number;
  from: number;
  valueFrom: number;
  to: number;
}

function walk(
  text: string,
  at: number,
  parsed: unknown,
  path: readonly (string | number)[],
  decide: DecideMember,
  cuts: Cut[],
): void {
  // Vectors are long and have no members.
  if (typeof parsed !== "object" || parsed === null || (Array.isArray(parsed) && typeof parsed.at(-1) === "number"))
    return;
  const members = membersOf(text, at);
  const last = new Map(members.map((member, index) => [member.name, index]));
  let kept = members.length;
  const edits = members.map((member, index) => {
    const value = (parsed as Record<string | number, unknown>)[member.name];
    const edit: MemberEdit = last.get(member.name) !== index ? { remove: true } : decide([...path, member.name], value);
    if (typeof edit === "object" && "remove" in edit) kept -= 1;
    return edit;
  });
  let isFirstKept = true;
  for (const [index, member] of members.entries()) {
    const edit = edits[index];
    const next = members[index + 1];
    if (typeof edit === "object" && "remove" in edit) {
      // With the comma behind it; the last ones take the comma before them.
      const isLastKept = !edits.slice(index + 1).some((later) => !(typeof later === "object" && "remove" in later));
      if (kept === 0) {
        if (index === 0) cuts.push({ from: member.from, to: members.at(-1)!.to, text: "" });
        continue;
      }
      if (!isLastKept) cuts.push({ from: member.from, to: next!.from, text: "" });
      else if (!isFirstKept) {
        const before = members[index - 1]!;
        cuts.push({ from: before.to, to: member.to, text: "" });
      }
      continue;
    }
    isFirstKept = false;
    if (edit === "skip") continue;
    if (edit && "replace" in edit) cuts.push({ from: member.valueFrom, to: member.to, text: edit.replace });
    else {
      const value = (parsed as Record<string | number, unknown>)[member.name];
      walk(text, member.valueFrom, value, [...path, member.name], decide, cuts);
      if (edit) cuts.push(appended(text, member, edit.append, cuts.at(-1)));
    }
  }
}

/** Before the closing brace, behind what is left in the object. */
function appended(text: string, { valueFrom, to }: Member, added: string, last: Cut | undefined): Cut {
  const inside = membersOf(text, valueFrom);
  const isEmptied =
    last !== undefined && last.text === "" && last.from === inside[0]?.from && last.to === inside.at(-1)?.to;
  const at = inside.at(-1)?.to ?? to - 1;
  return { from: at, to: at, text: inside.length === 0 || isEmptied ? added : `,${added}` };
}

/** Of the object or list that begins at `start`. The text is known to be JSON. */
function membersOf(text: string, start: number): Member[] {
  const isList = text[start] === "[";
  const members: Member[] = [];
  let at = skipBlanks(text, start + 1);
  while (text[at] !== "]" && text[at] !== "}" && at < text.length) {
    const from = at;
    let name: string | number = members.length;
    if (!isList) {
      const end = endOfString(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = skipBlanks(text, skipBlanks(text, end) + 1);
    }
    const to = endOfValue(text, at);
    members.push({ name, from, valueFrom: at, to });
    at = skipBlanks(text, to);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
  return members;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

const brackets = /["{}[\]]/g;

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") {
    const rest = /[,\]}\s]/g;
    rest.lastIndex = start;
    return rest.exec(text)?.index ?? text.length;
  }
  let depth = 0;
  for (let at = start; at < text.length; ) {
    brackets.lastIndex = at;
    const found = brackets.exec(text);
    if (!found) break;
    if (found[0] === '"') at = endOfString(text, found.index);
    else {
      depth += found[0] === "{" || found[0] === "[" ? 1 : -1;
      at = found.index + 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}
