import { scopeGroups } from "virtual:contract";
import { Checkbox } from "../../components/field.tsx";

type Scope = (typeof scopeGroups)[number]["scopes"][number]["scope"];

interface ScopePickerProps {
  services: readonly string[];
  chosen: readonly Scope[];
  onChange(scopes: readonly Scope[]): void;
}

/** Scopes by service, each with what it allows; those that govern nothing yet stand behind a fold. */
export function ScopePicker({ services, chosen, onChange }: ScopePickerProps) {
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(isOn ? [...chosen, scope] : chosen.filter((one) => one !== scope));
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">Scopes</legend>
      {scopeGroups
        .filter(({ service }) => services.includes(service))
        .map(({ service, title, scopes }) => {
          const useful = scopes.filter(({ sentence }) => !isReserved(sentence));
          const reserved = scopes.filter(({ sentence }) => isReserved(sentence));
          const areAll = useful.every(({ scope }) => chosen.includes(scope));
          const setAll = () => {
            const names = useful.map(({ scope }) => scope);
            const others = chosen.filter((scope) => !names.includes(scope));
            onChange(areAll ? others : [...others, ...names]);
          };
          return (
            <section key={service} aria-label={title} className="rounded-lg border p-3.5">
              <div className="mb-2.5 flex items-center justify-between">
                <h3 className="text-sm font-semibold">{title}</h3>
                {useful.length > 1 && (
                  <button
                    type="button"
                    onClick={setAll}
                    className="rounded text-[13px] text-accent-ink hover:underline"
                  >
                    {areAll ? "None" : "All"}
                    <span className="sr-only"> of {title}</span>
                  </button>
                )}
              </div>
              <div className="grid gap-2.5 sm:grid-cols-2">
                {useful.map(({ scope, sentence }) => (
                  <Checkbox
                    key={scope}
                    label={<code className="font-mono text-[13px]">{scope}</code>}
                    hint={sentence}
                    checked={chosen.includes(scope)}
                    onChange={(event) => toggle(scope, event.target.checked)}
                  />
                ))}
              </div>
              {reserved.length > 0 && (
                <details className="mt-3 text-sm">
                  <summary className="text-[13px] text-muted">{reserved.length} more that govern nothing yet</summary>
                  <div className="mt-2.5 grid gap-2.5 sm:grid-cols-2">
                    {reserved.map(({ scope, sentence }) => (
                      <Checkbox
                        key={scope}
                        label={<code className="font-mono text-[13px]">{scope}</code>}
                        hint={sentence}
                        checked={chosen.includes(scope)}
                        onChange={(event) => toggle(scope, event.target.checked)}
                      />
                    ))}
                  </div>
                </details>
              )}
            </section>
          );
        })}
    </fieldset>
  );
}

function isReserved(sentence: string): boolean {
  return sentence.includes("governs nothing yet");
}
