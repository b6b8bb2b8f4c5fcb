/** A table as rows of cell texts, on a page. */
export interface PlainTable {
  readonly page: number;
  readonly rows: readonly (readonly string[])[];
}

interface TruthTable {
  regions: {
    page: number;
    cells: { row: number | null; col: number; row_end: number; col_end: number; text: string }[];
  }[];
}

const plain = (text: string): string => text.replace(/[^\p{L}\d]/gu, "").toLowerCase();

/** Some truths list a table's cells without their places; those cannot be scored. */
export function isScorable(truth: readonly TruthTable[]): boolean {
  return truth.every((table) => table.regions.every((region) => region.cells.every((cell) => cell.row !== null)));
}

/** ICDAR-2013: relations between neighbouring cells, to the right and below, over the whole document; false tables count.
 *  Pages are not compared: the truth counts them from the first table's page in some files. */
export function scoreTables(
  truth: readonly TruthTable[],
  found: readonly PlainTable[],
): { hits: number; found: number; wanted: number } {
  const wanted = truth.flatMap((table) =>
    table.regions.flatMap((region) => {
      const rows = Math.max(0, ...region.cells.map((cell) => cell.row_end)) + 1;
      const columns = Math.max(0, ...region.cells.map((cell) => cell.col_end)) + 1;
      const grid: (number | undefined)[][] = Array.from({ length: rows }, () =>
        Array.from({ length: columns }, () => undefined),
      );
      region.cells.forEach((cell, index) => {
        for (let row = cell.row ?? 0; row <= cell.row_end; row++)
          for (let column = cell.col; column <= cell.col_end; column++) grid[row]![column] = index;
      });
      return relations(grid, (index) => region.cells[index]!.text);
    }),
  );
  const got = found.flatMap((table) => {
    const texts: string[] = [];
    const columns = Math.max(0, ...table.rows.map((row) => row.length));
    const grid = table.rows.map((row) =>
      Array.from({ length: columns }, (_, column) => {
        texts.push(row[column] ?? "");
        return texts.length - 1;
      }),
    );
    return relations(grid, (index) => texts[index]!);
  });
  const open = new Map<string, number>();
  for (const relation of wanted) open.set(relation, (open.get(relation) ?? 0) + 1);
  let hits = 0;
  for (const relation of got) {
    const left = open.get(relation) ?? 0;
    if (left === 0) continue;
    hits++;
    open.set(relation, left - 1);
  }
  return { hits, found: got.length, wanted: wanted.length };
}

function relations(grid: (number | undefined)[][], textOf: (index: number) => string): string[] {
  const found = new Set<string>();
  const list: string[] = [];
  const text = (index: number | undefined): string => (index === undefined ? "" : plain(textOf(index)));
  const add = (from: number, to: number, way: string): void => {
    const id = `${from}>${to}${way}`;
    if (found.has(id)) return;
    found.add(id);
    list.push(`${text(from)}|${text(to)}|${way}`);
  };
  for (const [row, cells] of grid.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (cell === undefined || text(cell) === "") continue;
      for (let next = column + 1; next < cells.length; next++) {
        const other = cells[next];
        if (other === cell || text(other) === "") continue;
        add(cell, other!, "right");
        break;
      }
      for (let next = row + 1; next < grid.length; next++) {
        const other = grid[next]![column];
        if (other === cell || text(other) === "") continue;
        add(cell, other!, "below");
        break;
      }
    }
  }
  return list;
}
