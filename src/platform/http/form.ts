import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../errors.ts";
import type { HttpApp } from "./create-server.ts";
import { EdgeLimitError } from "./edge-limit.ts";
import { parseWith } from "./validate.ts";

/** A file that arrived in a form, whole and in memory. Its name and type are hints from the client, nothing more. */
export interface UploadedFile {
  bytes: Buffer;
  name: string;
  declaredType: string;
}

/** In a form schema: a file of at most `maxBytes`. */
export function fileField(maxBytes: number, description: string) {
  const schema = z.custom<UploadedFile>((value) => isUploadedFile(value), "must be a file").meta({ description });
  limits.set(schema, maxBytes);
  return schema;
}
const limits = new WeakMap<z.ZodType, number>();

/** Form fields are text; these read as the JSON types do. */
export const formNumber = z.preprocess(
  (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
  z.number(),
);
export const formBoolean = z.preprocess((value) => {
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0") return false;
  return value;
}, z.boolean());

/** Reads the multipart body of every route that declares a form, before its handler runs. */
export function readForms(app: HttpApp): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const { form, bodies } = request.routeConfig;
    const takesJson = !form && !bodies && request.routeOptions.schema?.body !== undefined;
    done(
      takesJson && request.isMultipart()
        ? new Problem("invalid_request", "Send application/json, not a form.")
        : undefined,
    );
  });
  app.addHook("preHandler", (request, _reply, done) => {
    const { form } = request.routeConfig;
    if (!form) return done();
    readForm(request, form).then((body) => {
      request.body = body;
      done();
    }, done);
  });
}

export async function readForm<Form extends z.ZodObject>(request: FastifyRequest, form: Form): Promise<z.output<Form>> {
  if (!request.isMultipart()) throw new Problem("invalid_request", "Send the fields as multipart/form-data.");
  try {
    return parseWith(form, await collectParts(request, form), "The form");
  } catch (error) {
    // The parser's own complaints have no code: a missing boundary, a body that ends in the middle of a part.
    if (error instanceof Problem || (error as { code?: string }).code) throw error;
    throw new Problem("invalid_request", "The multipart form is malformed or incomplete.", { cause: error });
  }
}

async function collectParts(request: FastifyRequest, form: z.ZodObject): Promise<Record<string, unknown>> {
  const edge = request.routeConfig.edgeBytes ?? request.server.edgeUploadBytes;
  const given: Record<string, unknown> = {};
  for await (const part of request.parts({ limits: { fileSize: Math.min(largestFile(form), edge) } })) {
    const name = part.fieldname;
    const value = part.type === "file" ? await readFile(part, form, edge) : part.value;
    // A name like "tags[]" is a list, sent item by item.
    if (name.endsWith("[]")) given[name] = [...((given[name] as unknown[] | undefined) ?? []), value];
    else if (Object.hasOwn(given, name)) throw new Problem("invalid_request", `"${name}" was sent more than once.`);
    else given[name] = value;
  }
  return given;
}

async function readFile(part: MultipartFile, form: z.ZodObject, edge: number): Promise<UploadedFile | string> {
  const field = form.shape[part.fieldname] as z.ZodType | undefined;
  const limit = field ? fileLimit(field) : undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of part.file) chunks.push(chunk as Buffer);
  // Only a body that hid its length can outgrow the edge here.
  if (part.file.truncated && edge < (limit ?? edge + 1)) throw new EdgeLimitError(edge);
  const bytes = Buffer.concat(chunks);
  // Some clients send plain fields as files; others send files nobody asked for.
  if (limit === undefined) return field ? bytes.toString("utf8") : "";
  if (part.file.truncated || bytes.length > limit) {
    throw new Problem("too_large", `"${part.fieldname}" is larger than ${limit / 1e6} MB.`);
  }
  return { bytes, name: part.filename ?? "", declaredType: part.mimetype };
}

function largestFile(form: z.ZodObject): number {
  return Math.max(1, ...Object.values(form.shape).map((field) => fileLimit(field as z.ZodType) ?? 0));
}

/** Looks through `.optional()` and the like. */
function fileLimit(field: z.ZodType): number | undefined {
  const inner = (field as { def?: { innerType?: z.ZodType } }).def?.innerType;
  return limits.get(field) ?? (inner ? fileLimit(inner) : undefined);
}

export function isFileField(field: z.ZodType): boolean {
  return fileLimit(field) !== undefined;
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === "object" && value !== null && Buffer.isBuffer((value as UploadedFile).bytes);
}
