import { useState } from "react";
import type { ApiKeyDetails } from "../../../../src/dashboard/contract/keys.ts";
import { useAction, useApi } from "../../api/use-api.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Segments } from "../../components/field.tsx";
import { KeyIcon, PlusIcon } from "../../components/icons.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { KeyTable } from "./key-table.tsx";

export default function KeysPage() {
  const { params } = useWorkspace();
  const keys = useApi("listKeys", { params });
  const revoke = useAction("revokeKey", { refreshes: ["listKeys"], says: "The key no longer works.", isQuiet: true });
  const [create, setCreate] = useSearchState<"no" | "yes">("create", "no");
  const [shown, setShown] = useSearchState<"active" | "all">("show", "active");
  const [edited, setEdited] = useState<ApiKeyDetails>();
  const [revoked, setRevoked] = useState<ApiKeyDetails>();
  const all = keys.data?.keys ?? [];
  const listed = shown === "all" ? all : all.filter(({ state }) => state === "active");
  const newKey = (
    <Button look="primary" onClick={() => setCreate("yes")}>
      <PlusIcon /> Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="One key per program, with only the scopes it needs. A key is shown once; a lost one is revoked and replaced."
        actions={newKey}
      />
      <Card
        isFlush
        title="Keys"
        actions={
          <Segments
            label="Which keys"
            value={shown}
            onChange={setShown}
            options={[
              { value: "active", label: "Active" },
              { value: "all", label: "All" },
            ]}
          />
        }
      >
        {keys.isPending ? (
          <SkeletonRows />
        ) : keys.error ? (
          <ErrorState error={keys.error} onRetry={() => keys.refetch()} />
        ) : listed.length === 0 ? (
          <EmptyState icon={<KeyIcon />} title={all.length === 0 ? "No keys yet" : "No active keys"} action={newKey}>
            A key lets a program use the three services in the name of this workspace.
          </EmptyState>
        ) : (
          <KeyTable keys={listed} onEdit={setEdited} onRevoke={setRevoked} />
        )}
      </Card>
      <CreateKeyDialog isOpen={create === "yes"} onClose={() => setCreate("no")} />
      {edited && <EditKeyDialog apiKey={edited} onClose={() => setEdited(undefined)} />}
      <ConfirmDialog
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={`Revoke "${revoked?.name ?? ""}"?`}
        action="Revoke key"
        onConfirm={() => revoke.mutateAsync({ params: { ...params, keyId: revoked?.id ?? "" } })}
      >
        <p>Programs that use it are refused at once, and its open streams end. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  );
}
