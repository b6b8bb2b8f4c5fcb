import { useSyncExternalStore } from "react";
import { classNames } from "../lib/class-names.ts";
import { CheckIcon, WarnIcon } from "./icons.tsx";

interface Toast {
  id: number;
  text: string;
  isBad: boolean;
}

/** Long enough to read two short sentences. */
const shownMs = 5000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const tell of listeners) tell();
}

/** Tells in passing that something worked, or why it did not. */
export function toast(text: string, { isBad = false } = {}): void {
  const id = nextId++;
  change([...toasts.slice(-2), { id, text, isBad }]);
  setTimeout(() => change(toasts.filter((one) => one.id !== id)), shownMs);
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => toasts,
  );
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 grid justify-items-center gap-2 sm:left-auto sm:justify-items-end"
    >
      {shown.map(({ id, text, isBad }) => (
        <p
          key={id}
          className="appear flex max-w-sm items-start gap-2.5 rounded-xl border bg-raised px-4 py-3 text-sm shadow-pop"
        >
          {isBad ? (
            <WarnIcon className="mt-0.5 shrink-0 text-bad" />
          ) : (
            <CheckIcon className={classNames("mt-0.5 shrink-0 text-good")} />
          )}
          {text}
        </p>
      ))}
    </div>
  );
}
