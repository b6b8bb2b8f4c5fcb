import { useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";

/** Copies, and says so for a moment. */
export function CopyButton({
  text,
  label = "Copy",
  isIcon = false,
}: {
  text: string;
  label?: string;
  isIcon?: boolean;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  const sign = isCopied ? <CheckIcon className="text-good" /> : <CopyIcon />;
  return (
    <>
      {isIcon ? (
        <IconButton label={label} onClick={copy} className="size-8">
          {sign}
        </IconButton>
      ) : (
        <Button isSmall onClick={copy}>
          {sign}
          {isCopied ? "Copied" : label}
        </Button>
      )}
      <span className="sr-only" aria-live="polite">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  );
}

/** Browsers offer the clipboard only on https and localhost; elsewhere the old way still works. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
