/** The table of reasons as the product reads it. */
export function writeTable(
  rows: ReadonlyMap<string, ReadonlyMap<string, number>>,
  source: (field: string, reason: string) => string,
): string {
  const lines = ["# field or kind\treason\tweight\twhere it comes from"];
  for (const [field, row] of rows)
    for (const [reason, weight] of row) {
      const rounded = Math.round(weight * 100) / 100;
      if (rounded !== 0) lines.push(`${field}\t${reason}\t${rounded}\t${source(field, reason)}`);
    }
  return `${lines.join("\n")}\n`;
}
