/** What must follow a cut-off JSON text to make it valid: closed strings and brackets, null where a value was about to begin. */
export function finishJson(text: string): string {
  const open: ("}" | "]")[] = [];
  let isInString = false;
  let isEscaped = false;
  for (const character of text) {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === "\\") isEscaped = true;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{") open.push("}");
    else if (character === "[") open.push("]");
    else if (character === "}" || character === "]") open.pop();
  }
  const end = isInString ? closeString(text, isEscaped) : closeScalar(text);
  const whole = text + end;
  return `${end}${closeBrackets(whole, open)}`;
}

function closeString(text: string, isEscaped: boolean): string {
  const unicode = /\\u([0-9a-fA-F]{0,3})$/.exec(text);
  if (unicode) return `${"0".repeat(4 - unicode[1]!.length)}"`;
  return isEscaped ? '\\"' : '"';
}

/** A number or a word such as `true` that was cut. */
function closeScalar(text: string): string {
  const tail = /[^\s{}[\]",:]+$/.exec(text)?.[0];
  if (tail === undefined) return "";
  const word = ["true", "false", "null"].find((whole) => whole.startsWith(tail));
  if (word) return word.slice(tail.length);
  return /\d$/.test(tail) ? "" : "0";
}

function closeBrackets(text: string, open: readonly ("}" | "]")[]): string {
  const innermost = open.at(-1);
  const tail = text.trimEnd();
  let missing = "";
  if (tail === "") missing = "null";
  else if (tail.endsWith(":")) missing = "null";
  else if (innermost === "]" && tail.endsWith(",")) missing = "null";
  else if (innermost === "}") {
    if (tail.endsWith(",")) missing = '"":null';
    else if (isBareKey(tail)) missing = ":null";
  }
  return `${missing}${[...open].reverse().join("")}`;
}

/** Inside an object, a string right after `{` or `,` is a key that still lacks its value. */
function isBareKey(tail: string): boolean {
  return /[{,]\s*"(?:[^"\\]|\\.)*"$/.test(tail);
}
