import type { CSSProperties, InputHTMLAttributes } from "react";
import { classNames } from "../lib/class-names.ts";

interface SliderProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  value: number;
  min: number;
  max: number;
  step: number;
  onChange(value: number): void;
}

/** The system's own slider with a track of our colours: browsers draw a white one on dark pages. */
export function Slider({ value, min, max, onChange, className, ...rest }: SliderProps) {
  const part = max > min ? ((value - min) / (max - min)) * 100 : 0;
  return (
    <input
      {...rest}
      type="range"
      min={min}
      max={max}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
      style={{ "--part": `${part}%` } as CSSProperties}
      className={classNames("slider", className)}
    />
  );
}
