import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { PencilIcon } from "../../../components/icons.tsx";
import { Badge } from "../../../components/states.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { formatPercent } from "../../../lib/format.ts";
import { type Field, isPlain, toneOf } from "./extraction.ts";

interface FieldListProps {
  fields: Record<string, Field>;
  chosen: string | undefined;
  onChoose(name: string): void;
  onCorrect(name: string, value: unknown): Promise<void>;
}

/** Every single value with its confidence; choosing one marks its place on the page. */
export function FieldList({ fields, chosen, onChoose, onCorrect }: FieldListProps) {
  const [edited, setEdited] = useState<string>();
  const shown = Object.entries(fields).filter(([, { value }]) => isPlain(value));
  return (
    <ul className="grid gap-px" aria-label="Fields">
      {shown.map(([name, field]) => (
        <FieldRow
          key={name}
          name={name}
          field={field}
          isChosen={name === chosen}
          isEdited={name === edited}
          onChoose={() => onChoose(name)}
          onEdit={(isOn) => setEdited(isOn ? name : undefined)}
          onCorrect={(value) => onCorrect(name, value)}
        />
      ))}
    </ul>
  );
}

function FieldRow({
  name,
  field,
  isChosen,
  isEdited,
  onChoose,
  onEdit,
  onCorrect,
}: {
  name: string;
  field: Field;
  isChosen: boolean;
  isEdited: boolean;
  onChoose(): void;
  onEdit(isOn: boolean): void;
  onCorrect(value: unknown): Promise<void>;
}) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [isChosen]);
  const { value, confidence, corrected } = field;
  return (
    <li
      ref={row}
      aria-current={isChosen ? "true" : undefined}
      className={classNames("flex min-h-10 items-center gap-2 rounded-lg px-2", isChosen && "bg-accent-soft")}
    >
      {isEdited ? (
        <form
          className="flex min-w-0 flex-1 flex-wrap items-center gap-2 py-1"
          onSubmit={async (event) => {
            event.preventDefault();
            const given = String(new FormData(event.currentTarget).get("value"));
            await onCorrect(typed(given, value));
            onEdit(false);
          }}
        >
          <input
            name="value"
            aria-label={`Value of ${name}`}
            defaultValue={value === null ? "" : String(value)}
            className="control min-w-0 flex-1 basis-40"
          />
          <Button type="submit" isSmall look="primary">
            Save
          </Button>
          <Button isSmall onClick={() => onEdit(false)}>
            Cancel
          </Button>
        </form>
      ) : (
        <>
          <button
            type="button"
            onClick={onChoose}
            className="grid min-w-0 flex-1 grid-cols-[2fr_3fr] gap-2 py-2 text-left text-sm"
          >
            <span className="wrap-anywhere text-muted">{name}</span>
            <span className={classNames("break-words", value === null && "text-faint")}>
              {value === null ? "not stated" : String(value)}
            </span>
          </button>
          {corrected ? (
            <Badge tone="accent">corrected</Badge>
          ) : (
            value !== null && <Badge tone={toneOf(confidence)}>{formatPercent(confidence)}</Badge>
          )}
          <IconButton label={`Correct ${name}`} onClick={() => onEdit(true)} className="size-8">
            <PencilIcon />
          </IconButton>
        </>
      )}
    </li>
  );
}

/** Numbers stay numbers, and nothing is null. */
function typed(text: string, before: unknown): unknown {
  if (text.trim() === "") return null;
  const number = Number(text);
  return typeof before === "number" && Number.isFinite(number) ? number : text;
}
