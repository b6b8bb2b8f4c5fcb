import { daysAgo, today } from "../lib/days.ts";
import { useSearchState } from "../lib/use-search-state.ts";
import { Field, Input, Segments } from "./field.tsx";

const choices = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "own", label: "Custom" },
] as const;
type Choice = (typeof choices)[number]["value"];

/** The days that a report covers, kept in the address. */
export function useRange() {
  const [choice, setChoice] = useSearchState<Choice>("range", "30");
  const [from, setFrom] = useSearchState("from", daysAgo(29));
  const [to, setTo] = useSearchState("to", today());
  const query = choice === "own" ? { from, to } : { from: daysAgo(Number(choice) - 1), to: today() };
  return { choice, setChoice, from, setFrom, to, setTo, query };
}

export function RangePicker({ range }: { range: ReturnType<typeof useRange> }) {
  return (
    <>
      <Segments label="Period" value={range.choice} options={choices} onChange={range.setChoice} />
      {range.choice === "own" && (
        <>
          <Field label="From" isLabelHidden>
            <Input
              type="date"
              value={range.from}
              max={range.to}
              onChange={(event) => event.target.value && range.setFrom(event.target.value)}
            />
          </Field>
          <Field label="To" isLabelHidden>
            <Input
              type="date"
              value={range.to}
              min={range.from}
              max={today()}
              onChange={(event) => event.target.value && range.setTo(event.target.value)}
            />
          </Field>
        </>
      )}
    </>
  );
}
