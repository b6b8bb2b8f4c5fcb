import { useState } from "react";
import type { WorkspaceRow } from "../../../../src/dashboard/contract/admin.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { CoinsIcon, DotsIcon, GearIcon, PlusIcon } from "../../components/icons.tsx";
import { Menu, MenuItem } from "../../components/menu.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatCount, formatUsd } from "../../lib/format.ts";
import { CreateWorkspaceDialog } from "../../shell/create-workspace-dialog.tsx";
import { GrantDialog } from "../credits/grant-dialog.tsx";
import { PlansDialog } from "./plans-dialog.tsx";

export default function WorkspacesPage() {
  const workspaces = useApi("listAllWorkspaces");
  const [granted, setGranted] = useState<WorkspaceRow>();
  const [planned, setPlanned] = useState<WorkspaceRow>();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHeader
        title="Workspaces"
        description="Every workspace of this installation, its plans and its credits."
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            <PlusIcon /> New workspace
          </Button>
        }
      />
      <Card isFlush>
        {workspaces.isPending ? (
          <SkeletonRows />
        ) : workspaces.error ? (
          <ErrorState error={workspaces.error} onRetry={() => workspaces.refetch()} />
        ) : (
          <Table
            label="Workspaces"
            rows={workspaces.data.workspaces}
            rowKey={({ id }) => id}
            columns={[
              {
                title: "Name",
                className: "max-w-52",
                cell: ({ name, members, activeKeys }) => (
                  <span className="grid">
                    <span className="truncate font-medium">{name}</span>
                    <span className="truncate text-[13px] text-faint">
                      {members} {members === 1 ? "member" : "members"}, {activeKeys} {activeKeys === 1 ? "key" : "keys"}
                    </span>
                  </span>
                ),
              },
              {
                title: "Plans",
                from: "sm",
                cell: ({ gatewayPlan, extractionPlan, extractionPerHour }) => (
                  <span className="grid text-[13px]">
                    <span>Gateway {gatewayPlan}</span>
                    <span className="text-muted">
                      Extraction {extractionPlan}
                      {extractionPerHour === null ? "" : `, ${formatCount(extractionPerHour)} an hour`}
                    </span>
                  </span>
                ),
              },
              {
                title: "Requests, 30 days",
                isRight: true,
                from: "md",
                cell: ({ requestsLast30Days }) => formatCount(requestsLast30Days),
              },
              { title: "Balance", isRight: true, cell: ({ balanceUsd }) => formatUsd(balanceUsd) },
              {
                title: "Spent ever",
                isRight: true,
                from: "lg",
                cell: ({ lifetimeSpendUsd }) => formatUsd(lifetimeSpendUsd),
              },
              {
                title: "Actions",
                isTitleHidden: true,
                isRight: true,
                cell: (workspace) => (
                  <Menu
                    trigger={
                      <IconButton label={`Actions for ${workspace.name}`}>
                        <DotsIcon />
                      </IconButton>
                    }
                  >
                    <MenuItem icon={<CoinsIcon />} onSelect={() => setGranted(workspace)}>
                      Grant credits
                    </MenuItem>
                    <MenuItem icon={<GearIcon />} onSelect={() => setPlanned(workspace)}>
                      Change plans
                    </MenuItem>
                  </Menu>
                ),
              },
            ]}
          />
        )}
      </Card>
      {granted && <GrantDialog workspaceId={granted.id} name={granted.name} onClose={() => setGranted(undefined)} />}
      {planned && <PlansDialog workspace={planned} onClose={() => setPlanned(undefined)} />}
      <CreateWorkspaceDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
