import { useState } from "react";
import { extractionPlans, gatewayPlans } from "../../../../src/accounts/plans.ts";
import type { WorkspaceRow } from "../../../../src/dashboard/contract/admin.ts";
import { useAction } from "../../api/use-api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input, Select } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";

export function PlansDialog({ workspace, onClose }: { workspace: WorkspaceRow; onClose(): void }) {
  const save = useAction("setPlans", {
    refreshes: ["listAllWorkspaces", "getWorkspace"],
    says: "Plans changed.",
    isQuiet: true,
  });
  const [extraction, setExtraction] = useState<string>(workspace.extractionPlan);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Plans of ${workspace.name}`}
      description="They hold from the next request on."
    >
      <SimpleForm
        onSubmit={async ({ gatewayPlan, extractionPlan, extractionPerHour }) => {
          await save.mutateAsync({
            params: { workspaceId: workspace.id },
            body: {
              gatewayPlan: gatewayPlan as WorkspaceRow["gatewayPlan"],
              extractionPlan: extractionPlan as WorkspaceRow["extractionPlan"],
              ...(extractionPerHour ? { extractionPerHour: Number(extractionPerHour) } : {}),
            },
          });
          onClose();
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="Model gateway" hint="FREE cannot use the gateway." error={errorOf("gatewayPlan")}>
              <Select name="gatewayPlan" defaultValue={workspace.gatewayPlan}>
                {gatewayPlans.map((plan) => (
                  <option key={plan}>{plan}</option>
                ))}
              </Select>
            </Field>
            <Field label="Document extraction" error={errorOf("extractionPlan")}>
              <Select name="extractionPlan" value={extraction} onChange={(event) => setExtraction(event.target.value)}>
                {extractionPlans.map((plan) => (
                  <option key={plan}>{plan}</option>
                ))}
              </Select>
            </Field>
            {extraction === "Enterprise" && (
              <Field label="Documents an hour" isOptional error={errorOf("extractionPerHour")}>
                <Input
                  name="extractionPerHour"
                  type="number"
                  min={1}
                  max={10_000_000}
                  defaultValue={workspace.extractionPerHour ?? ""}
                />
              </Field>
            )}
            <FormButtons action="Save" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}
