import type { Snippet } from "../../../components/code.tsx";

/** A request as people can send it themselves. */
export interface ShownRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  json?: unknown;
  /** Fields of a form; a file is named by `file`. */
  form?: readonly { name: string; value: string; file?: boolean }[];
  headers?: Record<string, string>;
  /** The reply is written to this file. */
  saves?: string;
  /** The reply comes piece by piece and is printed so. */
  isStream?: boolean;
  /** The same with the ecosystem's client. */
  client?: Snippet;
}

const keyName = "PARLANCE_API_KEY";

/** The request in curl, TypeScript and Python. The key is only named, so that code can be shown and shared. */
export function requestCode(request: ShownRequest): Snippet[] {
  return [
    { label: "curl", code: curl(request) },
    { label: "TypeScript", code: typescript(request) },
    ...(request.client ? [request.client] : []),
    { label: "Python", code: python(request) },
  ];
}

function methodOf({ method, json, form }: ShownRequest): string {
  return method ?? (json !== undefined || form ? "POST" : "GET");
}

function curl(request: ShownRequest): string {
  const { url, json, form, headers = {}, saves, isStream } = request;
  const implied = json !== undefined || form ? "POST" : "GET";
  const method = methodOf(request);
  const lines = [
    `curl -sS${isStream ? "N" : ""}${method === implied ? "" : ` -X ${method}`} ${quote(url)}`,
    `-H "Authorization: Bearer $${keyName}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(json))}`]),
    ...(form ?? []).map(({ name, value, file }) =>
      file ? `-F ${quote(`${name}=@${value}`)}` : `--form-string ${quote(`${name}=${value}`)}`,
    ),
    ...(saves ? [`-o ${quote(saves)}`] : []),
  ];
  return lines.join(" \\\n  ");
}

/** A word of the shell: plain where it can be. */
function quote(text: string): string {
  return /^[\w:/.=@?-]+$/.test(text) && !text.includes("?") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function typescript(request: ShownRequest): string {
  const { url, json, form, headers = {}, saves, isStream } = request;
  const imports = [
    ...(form?.some(({ file }) => file) ? ['import { openAsBlob } from "node:fs";'] : []),
    ...(saves ? ['import { writeFile } from "node:fs/promises";'] : []),
  ];
  const formLines = form && [
    "const form = new FormData();",
    ...form.map(({ name, value, file }) =>
      file
        ? `form.append(${text(name)}, await openAsBlob(${text(value)}), ${text(value)});`
        : `form.append(${text(name)}, ${text(value)});`,
    ),
  ];
  const allHeaders = [
    `    Authorization: \`Bearer \${process.env.${keyName}}\`,`,
    ...Object.entries(headers).map(([name, value]) => `    ${text(name)}: ${text(value)},`),
    ...(json === undefined ? [] : ['    "Content-Type": "application/json",']),
  ];
  const body = form
    ? "  body: form,"
    : json === undefined
      ? ""
      : `  body: JSON.stringify(${indent(JSON.stringify(json, null, 2), "  ")}),`;
  const method = methodOf(request);
  const ending = saves
    ? `await writeFile(${text(saves)}, Buffer.from(await response.arrayBuffer()));`
    : isStream
      ? "for await (const part of response.body!) process.stdout.write(part);"
      : "console.log(await response.json());";
  return [
    ...imports,
    ...(imports.length > 0 ? [""] : []),
    ...(formLines ?? []),
    `const response = await fetch(${text(url)}, {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    "  headers: {",
    ...allHeaders,
    "  },",
    ...(body ? [body] : []),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    ending,
  ].join("\n");
}

function python(request: ShownRequest): string {
  const { url, json, form, headers = {}, saves, isStream } = request;
  const method = methodOf(request);
  const reading = saves
    ? `with urllib.request.urlopen(request) as response, open(${text(saves)}, "wb") as file:\n    file.write(response.read())`
    : isStream
      ? 'with urllib.request.urlopen(request) as response:\n    for line in response:\n        print(line.decode(), end="")'
      : "with urllib.request.urlopen(request) as response:\n    print(json.load(response))";
  const formLines = form && [
    "boundary = uuid.uuid4().hex",
    'body = b""',
    ...form.map(({ name, value, file }) =>
      file
        ? `body += f'--{boundary}\\r\\nContent-Disposition: form-data; name="${name}"; filename="${value}"\\r\\n\\r\\n'.encode() + open(${text(value)}, "rb").read() + b"\\r\\n"`
        : `body += f'--{boundary}\\r\\nContent-Disposition: form-data; name="${name}"\\r\\n\\r\\n'.encode() + ${text(value)}.encode() + b"\\r\\n"`,
    ),
    'body += f"--{boundary}--\\r\\n".encode()',
  ];
  const type = form
    ? ', "Content-Type": f"multipart/form-data; boundary={boundary}"'
    : json === undefined
      ? ""
      : ', "Content-Type": "application/json"';
  const more = Object.entries(headers).map(([name, value]) => `, ${text(name)}: ${text(value)}`);
  return [
    `import json, os, urllib.request${form ? ", uuid" : ""}`,
    "",
    ...(formLines ?? []),
    "request = urllib.request.Request(",
    `    ${text(url)},`,
    ...(form ? ["    data=body,"] : []),
    ...(json === undefined ? [] : [`    data=json.dumps(${indent(pythonValue(json), "    ")}).encode(),`]),
    `    headers={"Authorization": f"Bearer {os.environ['${keyName}']}"${type}${more.join("")}},`,
    ...(method === "GET" ? [] : [`    method="${method}",`]),
    ")",
    reading,
  ].join("\n");
}

/** JSON with Python's three words of its own. Strings stay as they are. */
function pythonValue(value: unknown): string {
  const words: Record<string, string> = { true: "True", false: "False", null: "None" };
  return JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (found) => words[found] ?? found,
  );
}

const text = (value: string) => JSON.stringify(value);
const indent = (code: string, by: string) => code.replaceAll("\n", `\n${by}`);

/** What OpenAI's client sends, for the routes that speak its language. */
export function openAiCode(baseUrl: string, lines: string): Snippet {
  const head = `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${text(baseUrl)}, apiKey: process.env.${keyName}! });
`;
  return { label: "OpenAI client", code: head + lines };
}
