import { useEffect, useRef } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { type Field, toneOf } from "./extraction.ts";
import { PagePictures, placeOf } from "./page-pictures.tsx";

const boxTones = {
  good: "border-good bg-good/10",
  warn: "border-warn bg-warn/15",
  bad: "border-bad bg-bad/15",
};

interface DocumentPagesProps {
  file: File;
  fields: Record<string, Field>;
  chosen: string | undefined;
  onChoose(name: string): void;
}

/** The pages of a document with every field in its place. */
export function DocumentPages({ file, fields, chosen, onChoose }: DocumentPagesProps) {
  return (
    <PagePictures
      file={file}
      overlay={(page) =>
        Object.entries(fields).map(([name, field]) =>
          field.box && field.page === page ? (
            <BoxButton key={name} name={name} field={field} isChosen={name === chosen} onChoose={onChoose} />
          ) : null,
        )
      }
    />
  );
}

function BoxButton({
  name,
  field,
  isChosen,
  onChoose,
}: {
  name: string;
  field: Field;
  isChosen: boolean;
  onChoose(name: string): void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) button.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [isChosen]);
  return (
    <button
      ref={button}
      type="button"
      title={`${name}: ${String(field.value)}`}
      aria-label={`Show ${name} in the data`}
      aria-pressed={isChosen}
      onClick={() => onChoose(name)}
      className={classNames(
        "absolute rounded-sm border",
        boxTones[toneOf(field.confidence)],
        isChosen && "outline-2 outline-offset-2 outline-accent",
      )}
      style={placeOf(field.box!)}
    />
  );
}
