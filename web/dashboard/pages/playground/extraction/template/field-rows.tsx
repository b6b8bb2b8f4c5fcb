import { fieldTypes } from "../../../../../../src/extraction/templates/field-types.ts";
import { IconButton } from "../../../../components/button.tsx";
import { Input, Select } from "../../../../components/field.tsx";
import { PencilIcon, TextIcon, TrashIcon } from "../../../../components/icons.tsx";
import { Badge } from "../../../../components/states.tsx";
import { classNames } from "../../../../lib/class-names.ts";
import { isPlain, toneOf } from "../extraction.ts";
import { type Aim, type Draft, describeField, type Tried, withField } from "./draft.ts";

interface FieldRowsProps {
  draft: Draft;
  tried: Tried | undefined;
  aim: Aim | undefined;
  chosen: string | undefined;
  onDraft(draft: Draft): void;
  onAim(aim: Aim): void;
}

/** The fields of a template: name, type, how each is found, and what that finds in this document. */
export function FieldRows({ draft, tried, aim, chosen, onDraft, onAim }: FieldRowsProps) {
  return (
    <ul className="grid gap-2" aria-label="Fields of the template">
      {draft.fields.map((field, index) => (
        <li
          // A name changes while it is written; the place does not.
          key={index}
          className={classNames(
            "grid gap-2 rounded-lg border p-2.5",
            (aim?.field === index || field.name === chosen) && "border-accent bg-accent-soft",
          )}
        >
          <div className="flex flex-wrap gap-2">
            <Input
              aria-label={`Name of field ${index + 1}`}
              value={field.name}
              onChange={(event) => onDraft(withField(draft, index, { name: event.target.value }))}
              className="min-w-0 flex-1 basis-32"
            />
            <Select
              aria-label={`Type of ${field.name}`}
              value={field.type}
              disabled={field.type === "table"}
              onChange={(event) =>
                onDraft(withField(draft, index, { type: event.target.value as (typeof fieldTypes)[number] }))
              }
              className="w-32"
            >
              {fieldTypes.map((type) => (
                // Its columns are written in the definition.
                <option key={type} disabled={type === "table"}>
                  {type}
                </option>
              ))}
            </Select>
            <span className="flex">
              <IconButton
                label={`Draw a box for ${field.name}`}
                disabled={field.type === "table"}
                onClick={() => onAim({ how: "box", field: index })}
              >
                <PencilIcon />
              </IconButton>
              <IconButton
                label={`Pick a label for ${field.name}`}
                disabled={field.type === "table"}
                onClick={() => onAim({ how: "label", field: index })}
              >
                <TextIcon />
              </IconButton>
              <IconButton
                label={`Remove ${field.name}`}
                onClick={() => onDraft({ ...draft, fields: draft.fields.filter((_, at) => at !== index) })}
              >
                <TrashIcon />
              </IconButton>
            </span>
          </div>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[13px] text-muted">
            <Found tried={tried} name={field.name} />
            <span className="min-w-0 break-words">{describeField(field)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

function Found({ tried, name }: { tried: Tried | undefined; name: string }) {
  if (!tried) return null;
  const found = tried.fields[name];
  if (!found || found.value === null) return <Badge tone="bad">not found</Badge>;
  return (
    <>
      <span className="font-medium break-words text-ink">{showValue(found.value)}</span>
      <Badge tone={toneOf(found.confidence)}>{Math.round(found.confidence * 100)} %</Badge>
    </>
  );
}

/** A value in a line; of a list how long it is. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} rows`;
  return isPlain(value) ? String(value) : JSON.stringify(value);
}
