import { cloneElement, type InputHTMLAttributes, type ReactElement, type ReactNode, useId } from "react";
import { classNames } from "../lib/class-names.ts";
import { ChevronDownIcon } from "./icons.tsx";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** The label is read out but not shown. */
  isLabelHidden?: boolean;
  isOptional?: boolean;
  className?: string;
  children: ReactElement<{ id?: string; "aria-describedby"?: string; "aria-invalid"?: boolean }>;
}

/** A labelled control with its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, isLabelHidden, isOptional, className, children }: FieldProps) {
  const id = useId();
  const about = error ?? hint;
  return (
    <div className={classNames("grid content-start gap-1.5", className)}>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "text-sm font-medium"}>
        {label}
        {isOptional && <span className="font-normal text-faint"> (optional)</span>}
      </label>
      {cloneElement(children, {
        id,
        ...(about ? { "aria-describedby": `${id}-about` } : {}),
        ...(error ? { "aria-invalid": true } : {}),
      })}
      {about && (
        <p id={`${id}-about`} className={classNames("text-[13px]", error ? "text-bad" : "text-faint")}>
          {about}
        </p>
      )}
    </div>
  );
}

export function Input({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...rest} className={classNames("control", className)} />;
}

export function Textarea({ className, ...rest }: React.TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...rest} className={classNames("control min-h-24 leading-relaxed", className)} />;
}

/** The system's own select: it knows phones, keyboards and screen readers. */
export function Select({ className, children, ...rest }: React.SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className={classNames("relative block", className)}>
      <select {...rest} className="control appearance-none pr-9">
        {children}
      </select>
      <ChevronDownIcon className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-faint" />
    </span>
  );
}

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "children"> {
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={classNames("flex items-start gap-2.5 text-sm", className)}>
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span className="grid gap-0.5">
        <span className="font-medium">{label}</span>
        {hint && <span className="text-[13px] text-faint">{hint}</span>}
      </span>
    </label>
  );
}

/** Two or more choices side by side, of which one holds. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode }[];
  onChange(value: Value): void;
}) {
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full justify-self-start overflow-x-auto rounded-lg border bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-md px-2.5 text-[13px] whitespace-nowrap text-muted hover:text-ink has-checked:bg-chosen has-checked:font-medium has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            className="sr-only"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
