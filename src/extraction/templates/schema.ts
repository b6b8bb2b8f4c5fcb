import { z } from "zod";
import { isPath } from "../paths.ts";
import { fieldTypes } from "./field-types.ts";

const labelList = z.array(z.string().min(1).max(120)).min(1).max(40);
const pattern = z.string().min(1).max(500);
/** `subtotal + tax = total`. */
const equation = z.string().min(3).max(200);
const share = z.number().min(0).max(1);
const box = z.tuple([share, share, share, share]);

const findRule = z.union([
  z.strictObject({
    label: z.union([z.string().min(1).max(120), labelList]),
    where: z
      .array(z.enum(["inline", "right", "below"]))
      .min(1)
      .optional(),
  }),
  z.strictObject({ pattern }),
  z.strictObject({ region: z.strictObject({ page: z.int().min(1).max(1000).default(1), box }) }),
  z.strictObject({ standard: z.string().min(1).max(80) }),
]);
export type FindRule = z.output<typeof findRule>;

const column = z.strictObject({
  name: z.string().min(1).max(80).refine(isPath, "is a name that objects reserve for themselves"),
  type: z.enum(fieldTypes).exclude(["table"]).default("string"),
  header: z.union([z.string().min(1).max(120), labelList]).optional(),
  labels: labelList.optional(),
  description: z.string().max(500).optional(),
});
export type TemplateColumn = z.output<typeof column>;

const field = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(80)
    .regex(/^[A-Za-z_][\w.-]*$/, "must begin with a letter and hold letters, digits, _ . and - only")
    .refine(isPath, "is a name that objects reserve for themselves"),
  type: z.enum(fieldTypes).default("string"),
  description: z.string().max(500).optional(),
  required: z.boolean().default(false),
  labels: labelList.optional(),
  anchors: labelList.optional(),
  pattern: pattern.optional(),
  find: z.array(findRule).min(1).max(20).optional(),
  validate: z.strictObject({ pattern }).optional(),
  columns: z.array(column).min(1).max(40).optional(),
  end: labelList.optional(),
  row_check: equation.optional(),
});
export type TemplateField = z.output<typeof field>;

/** What a template says. */
export const templateDefinition = z.strictObject({
  name: z.string().min(1).max(120),
  description: z.string().max(2000).optional(),
  document_type: z.string().min(1).max(60).optional(),
  document_types: z.array(z.string().min(1).max(60)).max(10).optional(),
  match: z
    .strictObject({ all: labelList.optional(), any: labelList.optional(), none: labelList.optional() })
    .optional(),
  locale: z
    .strictObject({
      date_order: z.enum(["dmy", "mdy"]).optional(),
      decimal: z.enum([".", ","]).optional(),
      currency: z.string().length(3).optional(),
    })
    .optional(),
  fields: z.array(field).min(1).max(100),
  checks: z.array(equation).max(20).optional(),
});
export type TemplateDefinition = z.output<typeof templateDefinition>;

export const templateReply = z
  .looseObject({ id: z.string(), version: z.number(), name: z.string(), is_built_in: z.boolean() })
  .meta({ description: "The template with its fields." });

export const templateList = z.object({ templates: z.array(templateReply) });

export const versionList = z.object({
  versions: z.array(z.object({ version: z.number(), created_at: z.string() })),
});
