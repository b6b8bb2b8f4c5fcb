import { Field } from "../../../components/field.tsx";
import { Slider } from "../../../components/slider.tsx";

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
      <Slider min={min} max={max} step={step} value={value} onChange={onChange} className="h-9.5 w-full" />
    </Field>
  );
}
