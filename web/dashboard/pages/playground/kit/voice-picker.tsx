import { useApi } from "../../../api/use-api.ts";
import { Field, Select } from "../../../components/field.tsx";
import { defaultVoice } from "./default-voice.ts";

export interface Choice {
  language: string;
  voice: string;
}

/** The voices there are, and the one to begin with: what somebody set as default, else the first of American English. */
export function useVoices() {
  const { data } = useApi("listVoices");
  const languages = data?.languages ?? [];
  const kept = defaultVoice.get();
  const isThere = languages.some(
    ({ code, voices }) => code === kept?.language && voices.some(({ id }) => id === kept.voice),
  );
  const first = languages.find(({ code }) => code === "en-us") ?? languages[0];
  const start: Choice = isThere && kept ? kept : { language: first?.code ?? "", voice: first?.voices[0]?.id ?? "" };
  return { languages, start, isLoaded: data !== undefined };
}

interface VoicePickerProps {
  choice: Choice;
  onChoice(choice: Choice): void;
  /** Told apart from another picker on the page. */
  suffix?: string;
}

/** A language and one of its voices. */
export function VoicePicker({ choice, onChoice, suffix = "" }: VoicePickerProps) {
  const { languages } = useVoices();
  const voices = languages.find(({ code }) => code === choice.language)?.voices ?? [];
  return (
    <>
      <Field label={`Language${suffix}`}>
        <Select
          value={choice.language}
          onChange={({ target: { value } }) => {
            const found = languages.find(({ code }) => code === value);
            onChoice({ language: value, voice: found?.voices[0]?.id ?? "" });
          }}
        >
          {languages.map(({ code, label }) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={`Voice${suffix}`}>
        <Select value={choice.voice} onChange={({ target: { value } }) => onChoice({ ...choice, voice: value })}>
          {voices.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}
