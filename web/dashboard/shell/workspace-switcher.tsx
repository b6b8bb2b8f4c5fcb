import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCurrentMembership, useStart, useWorkspace } from "../api/use-session.ts";
import { CheckIcon, PlusIcon, UpDownIcon } from "../components/icons.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "../components/menu.tsx";
import { CreateWorkspaceDialog } from "./create-workspace-dialog.tsx";

export function WorkspaceSwitcher() {
  const { workspaces } = useStart();
  const { workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const shown = useCurrentMembership()?.name ?? "Parlance";
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex min-h-10 w-full min-w-0 items-center gap-2.5 rounded-lg px-2 text-left text-sm font-medium hover:bg-hover"
            aria-label={`Workspace: ${shown}. Switch`}
          >
            <Initial name={shown} />
            <span className="min-w-0 flex-1 truncate">{shown}</span>
            <UpDownIcon className="text-faint" />
          </button>
        }
      >
        <MenuLabel>Workspaces</MenuLabel>
        {workspaces.map((workspace) => (
          <MenuItem
            key={workspace.id}
            icon={<Initial name={workspace.name} />}
            onSelect={() => navigate({ to: `/w/${workspace.id}` })}
          >
            <span className="flex items-center gap-2">
              <span className="max-w-44 truncate">{workspace.name}</span>
              <span className="text-xs text-faint">{workspace.role}</span>
              {workspace.id === workspaceId && <CheckIcon className="ml-auto text-accent-ink" />}
            </span>
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon={<PlusIcon />} onSelect={() => setCreating(true)}>
          New workspace
        </MenuItem>
      </Menu>
      <CreateWorkspaceDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-md bg-accent text-xs font-semibold text-white"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
