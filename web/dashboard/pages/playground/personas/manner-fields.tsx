import { Field, Select, Textarea } from "../../../components/field.tsx";
import { RangeField } from "../kit/range-field.tsx";
import { styleOf, tones } from "./persona.ts";

export interface Manner {
  tone: string;
  style: string;
}

const still = { pace: 0, pitch: 0, volume: 0 };

interface MannerFieldsProps {
  manner: Manner;
  sliders: typeof still;
  onChange(manner: Manner, sliders: typeof still): void;
}

/** How it is said: a tone, sliders, and the words that they stand for. */
export function MannerFields({ manner, sliders, onChange }: MannerFieldsProps) {
  const slide = (change: Partial<typeof still>) => {
    const next = { ...sliders, ...change };
    onChange({ ...manner, style: styleOf(next) }, next);
  };
  return (
    <>
      <Field label="Tone">
        <Select value={manner.tone} onChange={(event) => onChange({ ...manner, tone: event.target.value }, sliders)}>
          <option value="">none</option>
          {tones.map((tone) => (
            <option key={tone}>{tone}</option>
          ))}
        </Select>
      </Field>
      <RangeField label="Pace" value={sliders.pace} min={-2} max={2} step={1} onChange={(pace) => slide({ pace })} />
      <RangeField
        label="Pitch"
        value={sliders.pitch}
        min={-2}
        max={2}
        step={1}
        onChange={(pitch) => slide({ pitch })}
      />
      <RangeField
        label="Volume"
        value={sliders.volume}
        min={-2}
        max={2}
        step={1}
        onChange={(volume) => slide({ volume })}
      />
      <Field label="Style in words" hint="The sliders write it; you may too." className="sm:col-span-full">
        <Textarea
          rows={2}
          maxLength={4000}
          value={manner.style}
          onChange={(event) => onChange({ ...manner, style: event.target.value }, sliders)}
        />
      </Field>
    </>
  );
}
