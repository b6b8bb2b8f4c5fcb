import type { ReactNode } from "react";
import { classNames } from "../../../lib/class-names.ts";

/** One message of a conversation. */
export function Bubble({ isMine, text, children }: { isMine: boolean; text: string; children?: ReactNode }) {
  return (
    <div className={classNames("grid max-w-[85%] gap-1.5", isMine ? "justify-self-end" : "justify-self-start")}>
      <p
        className={classNames(
          "rounded-2xl px-3.5 py-2 text-sm leading-relaxed break-words whitespace-pre-wrap",
          isMine ? "bg-accent text-white" : "bg-hover",
        )}
      >
        <span className="sr-only">{isMine ? "You: " : "Answer: "}</span>
        {text}
      </p>
      {children}
    </div>
  );
}
