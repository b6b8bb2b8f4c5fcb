import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import type { UploadedFile } from "../../platform/http/form.ts";

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
    fields[name] = values.length > 1 ? values.map(String) : await readValue(values[0]!);
  }
  return fields;
}

async function readValue(value: FormDataEntryValue): Promise<UploadedFile | string> {
  if (typeof value === "string") return value;
  return { bytes: Buffer.from(await value.arrayBuffer()), name: value.name, declaredType: value.type };
}
type FormDataEntryValue = ReturnType<FormData["getAll"]>[number];

/** The same form without some of its fields, with the content type of its new boundary. */
export async function withoutFields(
  fields: Record<string, unknown>,
  unwanted: readonly string[],
): Promise<{ body: Buffer; contentType: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (unwanted.includes(name)) continue;
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
