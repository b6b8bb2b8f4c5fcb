import type { ShownRequest } from "./request-code.ts";

/** A file and what is said about it: the form that is sent, and the same for code. */
export function fileForm(
  file: File,
  fields: Record<string, string>,
): { body: FormData; form: NonNullable<ShownRequest["form"]> } {
  const body = new FormData();
  body.append("file", file, file.name);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const form = [
    { name: "file", value: file.name, file: true },
    ...Object.entries(fields).map(([name, value]) => ({ name, value })),
  ];
  return { body, form };
}
