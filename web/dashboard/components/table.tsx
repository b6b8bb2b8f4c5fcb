import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";

export interface Column<Row> {
  title: string;
  cell(row: Row): ReactNode;
  isRight?: boolean;
  /** Where the column is worth its room: from a tablet or from a laptop on. Always by default. */
  from?: "sm" | "md" | "lg";
  /** The title is read out but not shown. */
  isTitleHidden?: boolean;
  className?: string;
}

const visibility = { sm: "max-sm:hidden", md: "max-md:hidden", lg: "max-lg:hidden" };

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  rowClass?(row: Row): string | undefined;
}

export function Table<Row>({ label, columns, rows, rowKey, rowClass }: TableProps<Row>) {
  const cellClass = ({ isRight, from, className }: Column<Row>) =>
    classNames(
      "px-3 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5",
      isRight && "text-right tabular-nums",
      from && visibility[from],
      className,
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard
    <section className="relative overflow-x-auto" tabIndex={0} aria-label={label}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classNames(
                  cellClass(column),
                  "py-2 text-left text-xs font-medium whitespace-nowrap text-faint",
                  column.isRight && "text-right!",
                )}
              >
                {column.isTitleHidden ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={classNames("border-b last:border-b-0 hover:bg-sunken", rowClass?.(row))}>
              {columns.map((column) => (
                <td key={column.title} className={classNames(cellClass(column), "py-2.5 align-middle")}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
