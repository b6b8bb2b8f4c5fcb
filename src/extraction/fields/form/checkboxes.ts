import { boxOfSpan } from "../../reading/layout.ts";
import type { Context } from "../context.ts";
import { candidateIn, type Finding, weigh } from "../pick.ts";

export interface Checkbox {
  label: string;
  checked: boolean;
}

const mark = /[☐☑☒□■▢▣✓✔✗✘]|\[\s?[xX✓✔]?\s?\]|\(\s?[xX✓✔]?\s?\)/u;
const marks = new RegExp(mark, "gu");

/** The boxes of a form with their state: those the file states, and those that are printed, each with the words behind it. */
export function findCheckboxes(context: Context): Finding<Checkbox>[] {
  const stated = context.document.formEntries
    .filter((entry) => entry.isChecked !== undefined)
    .map((entry) =>
      weigh("checkboxes", {
        value: { label: entry.name, checked: entry.isChecked! },
        page: entry.page,
        box: entry.box,
        reading: 1,
        reasons: { embedded: 1 },
      }),
    );
  const printed = context.layout.rows.flatMap((row) =>
    row.segments.flatMap((segment, index) => {
      const boxes = [...segment.text.matchAll(marks)];
      return boxes.flatMap((found, order): Finding<Checkbox>[] => {
        const from = found.index + found[0].length;
        const own = segment.text.slice(from, boxes[order + 1]?.index).trim();
        // A box alone in its run of text belongs to the words right of it.
        const label = own !== "" ? own : order === boxes.length - 1 ? (row.segments[index + 1]?.text ?? "") : "";
        if (!/\p{L}/u.test(label) || mark.test(label)) return [];
        const checked = /[☑☒■▣✓✔✗✘xX]/u.test(found[0]);
        const box = boxOfSpan(segment, found.index, from);
        return [weigh("checkboxes", candidateIn({ label: label.trim(), checked }, segment, box, { printed: 1 }))];
      });
    }),
  );
  return [...stated, ...printed];
}
