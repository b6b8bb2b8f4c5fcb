import type { FastifyRequest } from "fastify";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { UploadedFile } from "../../platform/http/form.ts";
import type { Target } from "../upstreams/routing.ts";
import { ownName } from "../upstreams/upstream.ts";

/** Reads a multipart form once and keeps its bytes: they go upstream as they came. */
export function keepRawForm(app: HttpApp): void {
  app.removeContentTypeParser("multipart/form-data");
  app.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, (request, given, done) => {
    request.rawBody = given as Buffer;
    readFields(request.rawBody, request.headers["content-type"]!).then((fields) => done(null, fields), done);
  });
  app.addHook("preValidation", async (request) => {
    if (!request.headers["content-type"]?.toLowerCase().startsWith("multipart/form-data")) {
      throw new Problem("invalid_request", "Send the fields as multipart/form-data.");
    }
  });
}

async function readFields(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  let form: FormData;
  try {
    const response = new Response(bytes as unknown as ConstructorParameters<typeof Response>[0], {
      headers: { "content-type": contentType },
    });
    form = await response.formData();
  } catch (cause) {
    throw new Problem("invalid_request", "The multipart form is malformed or incomplete.", { cause });
  }
  const fields: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    // Lists are sent as repeated fields whose names say so; anything else twice could be understood in two ways.
    if (values.length > 1 && !name.endsWith("[]")) {
      throw new Problem("invalid_request", `"${name}" was sent more than once.`);
    }
    const read = await Promise.all(values.map(readValue));
    fields[name] = read.length > 1 ? read : read[0]!;
  }
  return fields;
}

async function readValue(value: FormDataEntryValue): Promise<UploadedFile | string> {
  if (typeof value === "string") return value;
  return { bytes: Buffer.from(await value.arrayBuffer()), name: value.name, declaredType: value.type };
}
type FormDataEntryValue = ReturnType<FormData["getAll"]>[number];

export type FormFor = (target: Target) => { body: Buffer; contentType: string | undefined };

/** The form for each upstream that serves the model: as it came, or without the fields that the upstream must not see. */
export async function formsFor(
  routes: readonly Target[],
  { rawBody, headers, body }: Pick<FastifyRequest, "rawBody" | "headers" | "body">,
): Promise<FormFor> {
  const fields = body as Record<string, unknown>;
  const written = new Map<string, { body: Buffer; contentType: string }>();
  for (const { upstream, model } of routes) {
    const kept = Object.entries(fields).filter(([name]) => !upstream.kind.forbids?.(name));
    const changed = { ...Object.fromEntries(kept), model: ownName(upstream, model) };
    const isAsItCame = kept.length === Object.keys(fields).length && changed.model === fields.model;
    if (!isAsItCame) written.set(`${upstream.name} ${model}`, await writeForm(changed));
  }
  return ({ upstream, model }) =>
    written.get(`${upstream.name} ${model}`) ?? { body: rawBody, contentType: headers["content-type"] };
}

/** What a form says, whatever boundary it was sent with: a client that tries again chooses a new one. */
export function contentOf(fields: Record<string, unknown>): Buffer {
  const parts: Buffer[] = [];
  const add = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(add);
    if (typeof value !== "object" || value === null) return value;
    const { name, bytes } = value as UploadedFile;
    parts.push(bytes);
    return { name, length: bytes.length };
  };
  const said = Object.entries(fields).map(([name, value]) => [name, add(value)]);
  return Buffer.concat([Buffer.from(JSON.stringify(said)), ...parts]);
}

/** A form of these fields, with the content type of its new boundary. */
async function writeForm(fields: Record<string, unknown>): Promise<{ body: Buffer; contentType: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) {
      if (typeof one === "string") form.append(name, one);
      else {
        const file = one as UploadedFile;
        form.append(name, new Blob([new Uint8Array(file.bytes)], { type: file.declaredType }), file.name);
      }
    }
  }
  const encoded = new Response(form);
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get("content-type")!,
  };
}
