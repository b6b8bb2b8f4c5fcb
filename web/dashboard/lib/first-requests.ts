import type { Start } from "../../../src/dashboard/contract/session.ts";
import type { Snippet } from "../components/code.tsx";

type Service = Start["installation"]["services"][number];

interface FirstRequest {
  service: Service["name"];
  title: string;
  /** A key needs it for the request. */
  scope: string;
  snippets: Snippet[];
}

/** The first request of each service in three languages. They work when pasted: nothing but the language's own parts is needed. */
export function firstRequests(services: readonly Service[], key: string): FirstRequest[] {
  const found = services.map(({ name, baseUrl }) => makers[name](baseUrl.replace(/\/$/, ""), key));
  return found;
}

const makers: Record<Service["name"], (base: string, key: string) => FirstRequest> = {
  voice: (base, key) => ({
    service: "voice",
    title: "Speech",
    scope: "speech",
    snippets: [
      {
        label: "curl",
        code: `curl -s ${base}/v1/speech \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"text": "Hello from your own voice platform."}' \\
  -o hello.wav`,
      },
      {
        label: "TypeScript",
        code: `import { writeFile } from "node:fs/promises";

const response = await fetch("${base}/v1/speech", {
  method: "POST",
  headers: {
    Authorization: "Bearer ${key}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ text: "Hello from your own voice platform." }),
});
if (!response.ok) throw new Error(await response.text());
await writeFile("hello.wav", Buffer.from(await response.arrayBuffer()));`,
      },
      {
        label: "Python",
        code: `import json, urllib.request

request = urllib.request.Request(
    "${base}/v1/speech",
    data=json.dumps({"text": "Hello from your own voice platform."}).encode(),
    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response, open("hello.wav", "wb") as file:
    file.write(response.read())`,
      },
    ],
  }),
  gateway: (base, key) => ({
    service: "gateway",
    title: "Model gateway",
    scope: "gateway:read",
    snippets: [
      {
        label: "curl",
        code: `curl -s ${base}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${localModel}", "messages": [{"role": "user", "content": "What is the capital of France?"}]}'`,
      },
      {
        label: "TypeScript",
        code: `const response = await fetch("${base}/chat/completions", {
  method: "POST",
  headers: {
    Authorization: "Bearer ${key}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    model: "${localModel}",
    messages: [{ role: "user", content: "What is the capital of France?" }],
  }),
});
if (!response.ok) throw new Error(await response.text());
console.log((await response.json()).choices[0].message.content);`,
      },
      {
        label: "Python",
        code: `import json, urllib.request

request = urllib.request.Request(
    "${base}/chat/completions",
    data=json.dumps({
        "model": "${localModel}",
        "messages": [{"role": "user", "content": "What is the capital of France?"}],
    }).encode(),
    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["choices"][0]["message"]["content"])`,
      },
    ],
  }),
  extraction: (base, key) => ({
    service: "extraction",
    title: "Document extraction",
    scope: "extract",
    snippets: [
      { label: "curl", code: `curl -s ${base}/v1/extract \\\n  -H "X-API-KEY: ${key}" \\\n  -F file=@invoice.pdf` },
      {
        label: "TypeScript",
        code: `import { openAsBlob } from "node:fs";

const form = new FormData();
form.append("file", await openAsBlob("invoice.pdf"), "invoice.pdf");
const response = await fetch("${base}/v1/extract", {
  method: "POST",
  headers: { "X-API-KEY": "${key}" },
  body: form,
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`,
      },
      {
        label: "Python",
        code: `import urllib.request, uuid

boundary = uuid.uuid4().hex
head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="invoice.pdf"\\r\\n\\r\\n'
with open("invoice.pdf", "rb") as file:
    body = head.encode() + file.read() + f"\\r\\n--{boundary}--\\r\\n".encode()
request = urllib.request.Request(
    "${base}/v1/extract",
    data=body,
    headers={"X-API-KEY": "${key}", "Content-Type": f"multipart/form-data; boundary={boundary}"},
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`,
      },
    ],
  }),
};

/** Runs inside the server, so it answers on a new installation too. */
export const localModel = "local/tinyllama-1.1b-chat";
