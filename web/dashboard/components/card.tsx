import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { Skeleton } from "./states.tsx";

/** A framed part of a page with an optional heading and actions. */
export function Card({
  title,
  description,
  actions,
  isFlush,
  className,
  children,
}: {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** The content goes to the edges: tables, lists. */
  isFlush?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={classNames("min-w-0 overflow-hidden rounded-xl border bg-raised shadow-card", className)}>
      {(title || actions) && (
        <header
          className={classNames(
            "flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3.5 sm:px-5",
            isFlush ? "border-b pb-3.5" : "",
          )}
        >
          <div className="min-w-0 flex-1 basis-48">
            <h2 className="text-[15px] font-semibold">{title}</h2>
            {description && <p className="mt-0.5 text-sm text-muted">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={isFlush ? "" : "p-4 sm:p-5"}>{children}</div>
    </section>
  );
}

/** One figure with its name and what to make of it. */
export function Stat({ label, value, note }: { label: string; value: ReactNode | undefined; note?: ReactNode }) {
  return (
    <div className="min-w-0 rounded-xl border bg-raised px-4 py-3.5 shadow-card">
      <dt className="truncate text-[13px] text-muted">{label}</dt>
      <dd className="mt-1 truncate text-2xl font-semibold tracking-tight tabular-nums">
        {value === undefined ? <Skeleton className="my-1.5 h-6 w-24" /> : value}
      </dd>
      <dd className="mt-0.5 min-h-5 truncate text-[13px] text-faint">{note}</dd>
    </div>
  );
}

export function Stats({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">{children}</dl>;
}

/** The top of every page. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-end gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-xl font-semibold sm:text-2xl">{title}</h1>
        {description && <p className="mt-1 max-w-2xl text-sm text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
