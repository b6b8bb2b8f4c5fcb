import { useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { CopyButton } from "./copy-button.tsx";

export function CodeBlock({ code, className }: { code: string; className?: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard
      tabIndex={0}
      className={classNames("overflow-x-auto px-4 py-3 font-mono text-[12.5px] leading-relaxed", className)}
    >
      <code>{code}</code>
    </pre>
  );
}

export interface Snippet {
  label: string;
  code: string;
}

/** The same thing in several languages, one of them shown, ready to be copied. */
export function Snippets({ snippets }: { snippets: readonly Snippet[] }) {
  const [chosen, setChosen] = useState(0);
  const shown = snippets[Math.min(chosen, snippets.length - 1)];
  if (!shown) return null;
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border bg-sunken">
      <div className="flex items-center gap-1 border-b px-1.5 py-1 sm:px-2">
        <div className="flex min-w-0 flex-1 overflow-x-auto p-0.5 sm:gap-1">
          {snippets.map(({ label }, index) => (
            <button
              key={label}
              type="button"
              aria-pressed={index === chosen}
              onClick={() => setChosen(index)}
              className="min-h-7 rounded-md px-1.5 whitespace-nowrap sm:px-2 text-[13px] text-muted hover:text-ink aria-pressed:bg-chosen aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-card"
            >
              {label}
            </button>
          ))}
        </div>
        <CopyButton text={shown.code} label={`Copy ${shown.label}`} isIcon />
      </div>
      <CodeBlock code={shown.code} />
    </div>
  );
}

/** One line that people copy: a key, a link. */
export function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
      <span className="sr-only">{label}</span>
      <code className="min-w-0 flex-1 font-mono text-[13px] break-all">{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
