import { Field } from "../../../components/field.tsx";

interface RangeFieldProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onChange(value: number): void;
}

export function RangeField({ label, value, min, max, step, onChange }: RangeFieldProps) {
  return (
    <Field label={`${label} ${value}`}>
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-9.5 w-full accent-accent"
      />
    </Field>
  );
}
