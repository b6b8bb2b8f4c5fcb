import { useState } from "react";
import type { KeysChoice } from "../../../../src/dashboard/contract/workspaces.ts";
import { useApi } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Segments } from "../../components/field.tsx";
import { Skeleton } from "../../components/states.tsx";

interface DepartureDialogProps {
  userId: string;
  title: string;
  action: string;
  /** What happens to the person. */
  text: string;
  /** Whose the keys are when they go on working. */
  heir: string;
  onClose(): void;
  onConfirm(query: { keys?: KeysChoice }): Promise<unknown>;
}

/** Shows what hangs on somebody before they go, and asks what becomes of their keys: there is no default, because they may be in use. */
export function DepartureDialog({ userId, title, action, text, heir, onClose, onConfirm }: DepartureDialogProps) {
  const { params } = useWorkspace();
  const departure = useApi("getDeparture", { params: { ...params, userId } });
  const [keys, setKeys] = useState<KeysChoice | "">("");
  const { data } = departure;
  const links = data && [some(data.invitations, "invitation"), some(data.links, "reset link")].filter(Boolean);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={title}
      action={action}
      onConfirm={async () => {
        if (departure.error) throw departure.error;
        if (!data) throw new Error("Wait a moment: what hangs on this person is being looked up.");
        if (data.keys.length > 0 && keys === "") throw new Error("Choose what becomes of the keys.");
        await onConfirm(keys === "" ? {} : { keys });
      }}
    >
      <p>{text}</p>
      {departure.isPending && <Skeleton className="w-48" />}
      {links && links.length > 0 && <p>Made by them, and ended: {links.join(" and ")}.</p>}
      {data && data.keys.length > 0 && (
        <>
          <p>
            Their {some(data.keys.length, "key")} may be in use:{" "}
            {data.keys.map(({ name, hint }) => `${name} (…${hint})`).join(", ")}.
          </p>
          <Segments<KeysChoice | "">
            label="What becomes of the keys"
            value={keys}
            options={[
              { value: "end", label: "End them now" },
              { value: "transfer", label: "Let them work on" },
            ]}
            onChange={setKeys}
          />
          {keys === "transfer" && (
            <p>They belong to {heir} from now on. Whoever has copied one can go on using it until it is revoked.</p>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

function some(count: number, thing: string): string {
  return count === 0 ? "" : `${count} ${thing}${count === 1 ? "" : "s"}`;
}
