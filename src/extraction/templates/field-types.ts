/** What a value of a template may be. */
export const fieldTypes = [
  "string",
  "number",
  "integer",
  "date",
  "boolean",
  "currency",
  "address",
  "table",
  "money",
  "iban",
  "vat_id",
  "email",
  "phone",
] as const;
export type FieldType = (typeof fieldTypes)[number];
