import { Link, type LinkProps } from "@tanstack/react-router";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { Spinner } from "./spinner.tsx";

type Look = "primary" | "secondary" | "quiet" | "danger";

const looks: Record<Look, string> = {
  primary: "bg-accent text-white shadow-card hover:brightness-110",
  secondary: "border bg-raised border-line-strong text-ink shadow-card hover:bg-hover",
  quiet: "text-muted hover:bg-hover hover:text-ink",
  danger: "bg-bad-solid text-white shadow-card hover:brightness-110",
};

function buttonClass(look: Look, isSmall: boolean, extra?: string): string {
  return classNames(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-lg font-medium whitespace-nowrap transition select-none",
    "disabled:opacity-55 disabled:cursor-default disabled:hover:brightness-100",
    isSmall ? "min-h-8 px-2.5 text-[13px]" : "min-h-9.5 px-3.5 text-sm",
    looks[look],
    extra,
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  isSmall?: boolean;
  /** Keeps its width and cannot be pressed again. */
  isBusy?: boolean;
}

export function Button({
  look = "secondary",
  isSmall = false,
  isBusy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={buttonClass(look, isSmall, className)}
    >
      {isBusy && <Spinner label="Working" />}
      {children}
    </button>
  );
}

/** A button that shows only an icon; `label` is its name. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classNames(
        "inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition hover:bg-hover hover:text-ink disabled:opacity-50",
        className,
      )}
    >
      {children}
    </button>
  );
}

/** A link within the dashboard that looks like a button. */
export function LinkButton({
  look = "secondary",
  isSmall = false,
  className,
  children,
  ...link
}: LinkProps & { look?: Look; isSmall?: boolean; className?: string; children: ReactNode }) {
  return (
    <Link {...link} className={buttonClass(look, isSmall, className)}>
      {children}
    </Link>
  );
}

/** A link to somewhere else, or to a file, that looks like a button. */
export function AnchorButton({
  look = "secondary",
  isSmall = false,
  className,
  children,
  ...rest
}: React.AnchorHTMLAttributes<HTMLAnchorElement> & { look?: Look; isSmall?: boolean }) {
  return (
    <a {...rest} className={buttonClass(look, isSmall, className)}>
      {children}
    </a>
  );
}
