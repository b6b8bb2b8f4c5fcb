import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { Button } from "./button.tsx";
import { CheckIcon, InfoIcon, WarnIcon } from "./icons.tsx";

/** Takes the place of what is still loading, with its size, so that nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("skeleton h-4", className)} />;
}

export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  return (
    <div className="grid gap-3 p-4" role="status">
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} className="h-9 w-full" />
      ))}
    </div>
  );
}

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing here yet: says why that is fine and what to do next. */
export function EmptyState({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      {icon && <span className="mb-1 rounded-xl border bg-sunken p-3 text-xl text-muted">{icon}</span>}
      <h3 className="font-medium">{title}</h3>
      {children && <p className="max-w-md text-sm text-balance text-muted">{children}</p>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <WarnIcon className="text-2xl text-bad" />
      <h3 className="font-medium">This did not load</h3>
      <p className="max-w-md text-sm text-muted">{error instanceof Error ? error.message : "Something went wrong."}</p>
      {onRetry && (
        <Button isSmall onClick={onRetry} className="mt-2">
          Try again
        </Button>
      )}
    </div>
  );
}

type Tone = "info" | "good" | "warn" | "bad";

const tones: Record<Tone, string> = {
  info: "bg-sunken text-muted",
  good: "bg-good-soft text-good border-transparent",
  warn: "bg-warn-soft text-warn border-transparent",
  bad: "bg-bad-soft text-bad border-transparent",
};

/** A sentence or two that must be read where it stands. */
export function Notice({ tone = "info", children, action }: { tone?: Tone; children: ReactNode; action?: ReactNode }) {
  const Icon = tone === "good" ? CheckIcon : tone === "info" ? InfoIcon : WarnIcon;
  return (
    <div
      role={tone === "bad" ? "alert" : "note"}
      className={classNames(
        "flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border px-3.5 py-2.5 text-sm",
        tones[tone],
      )}
    >
      <span className="flex min-w-0 flex-1 basis-60 gap-2.5">
        <Icon className="mt-0.5 shrink-0" />
        <span className="min-w-0">{children}</span>
      </span>
      {action}
    </div>
  );
}

const badges: Record<Tone | "accent", string> = {
  ...tones,
  info: "bg-hover text-muted",
  accent: "bg-accent-soft text-accent-ink",
};

export function Badge({ tone = "info", children }: { tone?: Tone | "accent"; children: ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-medium whitespace-nowrap",
        badges[tone],
      )}
    >
      {children}
    </span>
  );
}
