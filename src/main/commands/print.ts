/** A table for people: one line per row, columns aligned; one object becomes one name and value a line. */
export function printRows(result: unknown): void {
  if (!Array.isArray(result)) {
    for (const [name, value] of Object.entries(result as object)) console.log(`${name.padEnd(16)} ${show(value)}`);
    return;
  }
  if (result.length === 0) {
    console.log("(none)");
    return;
  }
  const columns = Object.keys(result[0] as object);
  const cells = [
    columns,
    ...result.map((row) => columns.map((column) => show((row as Record<string, unknown>)[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  for (const row of cells)
    console.log(
      row
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join("  ")
        .trimEnd(),
    );
}

function show(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
