import { useApi } from "../api/use-api.ts";
import { useWorkspace } from "../api/use-session.ts";
import { LinkButton } from "../components/button.tsx";
import { WarnIcon } from "../components/icons.tsx";
import { formatUsd } from "../lib/format.ts";

/** Stands above every page of a workspace whose credits run out. */
export function LowBalance() {
  const { workspaceId, params } = useWorkspace();
  const { data } = useApi("getCredits", { params }, { isOff: workspaceId === "", everyMs: 60_000 });
  if (!workspaceId || !data) return null;
  const isInDebt = Number(data.debtUsd) > 0;
  if (!data.isLow && !isInDebt) return null;
  return (
    <aside
      aria-label="Low balance"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warn-soft px-4 py-2 text-sm text-warn sm:px-6 lg:px-8"
    >
      <WarnIcon />
      <span className="flex-1 basis-52">
        {isInDebt
          ? `Gateway requests are refused until ${formatUsd(data.debtUsd)} that is owed has been added.`
          : `Only ${formatUsd(data.balanceUsd)} of credits is left.`}
      </span>
      <LinkButton isSmall to={`/w/${workspaceId}/credits`}>
        See credits
      </LinkButton>
    </aside>
  );
}
