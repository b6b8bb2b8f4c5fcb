import { escapeXml, type Report } from "./flatten.ts";

/** The result as well-formed XML: nested values as nested elements, list entries as `<item>`. */
export function writeXml(report: Report): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  lines.push(
    `<extraction id="${escapeXml(report.id)}" status="${escapeXml(report.status)}" confidence="${report.confidence}" documentType="${escapeXml(report.document_type)}">`,
  );
  lines.push("  <data>");
  for (const [name, value] of Object.entries(report.data)) writeValue(lines, name, value, "    ");
  lines.push("  </data>", "  <fields>");
  for (const [name, field] of Object.entries(report.fields)) {
    const page = field.page === null ? "" : ` page="${field.page}"`;
    const value = typeof field.value === "object" ? "" : escapeXml(String(field.value ?? ""));
    lines.push(`    <field name="${escapeXml(name)}" confidence="${field.confidence}"${page}>${value}</field>`);
  }
  lines.push("  </fields>", "  <warnings>");
  for (const warning of report.warnings) lines.push(`    <warning>${escapeXml(warning)}</warning>`);
  lines.push("  </warnings>", "</extraction>", "");
  return lines.join("\n");
}

function writeValue(lines: string[], name: string, value: unknown, indent: string): void {
  const { tag, attribute } = elementFor(name);
  if (value === null || value === undefined) lines.push(`${indent}<${tag}${attribute} nil="true"/>`);
  else if (typeof value !== "object") lines.push(`${indent}<${tag}${attribute}>${escapeXml(String(value))}</${tag}>`);
  else {
    lines.push(`${indent}<${tag}${attribute}>`);
    for (const [key, entry] of Object.entries(value))
      writeValue(lines, Array.isArray(value) ? "item" : key, entry, `${indent}  `);
    lines.push(`${indent}</${tag}>`);
  }
}

/** A name that XML cannot hold becomes `<field name="...">`. */
function elementFor(name: string): { tag: string; attribute: string } {
  if (/^[A-Za-z_][\w.-]*$/.test(name) && !/^xml/i.test(name)) return { tag: name, attribute: "" };
  return { tag: "field", attribute: ` name="${escapeXml(name)}"` };
}
