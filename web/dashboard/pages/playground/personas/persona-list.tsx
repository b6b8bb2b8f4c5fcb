import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { Badge, EmptyState } from "../../../components/states.tsx";
import { classNames } from "../../../lib/class-names.ts";
import type { Persona } from "./persona.ts";

interface PersonaListProps {
  personas: readonly Persona[];
  chosen: string | undefined;
  onSpeak(persona: Persona): void;
  onRetune(persona: Persona): void;
  onDelete(id: string): Promise<void>;
}

export function PersonaList({ personas, chosen, onSpeak, onRetune, onDelete }: PersonaListProps) {
  const [unwanted, setUnwanted] = useState<Persona>();
  return (
    <Card isFlush title="Personas of this workspace">
      {personas.length === 0 && <EmptyState title="None yet">Save one above.</EmptyState>}
      <ul>
        {personas.map((persona) => (
          <li
            key={persona.id}
            className={classNames(
              "flex flex-wrap items-center gap-3 border-b px-4 py-2.5 last:border-b-0 sm:px-5",
              persona.id === chosen && "bg-accent-soft",
            )}
          >
            <span className="grid min-w-0 flex-1 basis-48">
              <span className="truncate text-sm font-medium">{persona.name}</span>
              <code className="truncate font-mono text-xs text-muted">{persona.id}</code>
            </span>
            <Badge>{persona.kind === "clone" ? "clone" : persona.baseVoice}</Badge>
            {persona.tonePreset && <Badge>{persona.tonePreset}</Badge>}
            {persona.status !== "ready" && (
              <Badge tone={persona.status === "failed" ? "bad" : "info"}>
                {persona.statusReason ?? persona.status}
              </Badge>
            )}
            <span className="flex gap-1">
              <Button isSmall disabled={persona.status !== "ready"} onClick={() => onSpeak(persona)}>
                Let it speak
              </Button>
              <Button isSmall look="quiet" onClick={() => onRetune(persona)}>
                Retune
              </Button>
              <Button isSmall look="quiet" onClick={() => setUnwanted(persona)}>
                Delete
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={unwanted !== undefined}
        onClose={() => setUnwanted(undefined)}
        title={`Delete ${unwanted?.name}?`}
        action="Delete persona"
        onConfirm={async () => {
          if (unwanted) await onDelete(unwanted.id);
        }}
      >
        Programs that use it get an error. A cloned voice is forgotten for good.
      </ConfirmDialog>
    </Card>
  );
}
