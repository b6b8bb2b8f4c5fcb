import { useState } from "react";
import { addressOf } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { useUser, useWorkspace } from "../../api/use-session.ts";
import { AnchorButton, Button } from "../../components/button.tsx";
import { PageHeader, Stat, Stats } from "../../components/card.tsx";
import { DownloadIcon, PlusIcon } from "../../components/icons.tsx";
import { useRange } from "../../components/range-picker.tsx";
import { formatUsd } from "../../lib/format.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import { GrantDialog } from "./grant-dialog.tsx";
import { History } from "./history.tsx";
import { LowBalanceDialog } from "./low-balance-dialog.tsx";
import { type Grouping, SpendCard } from "./spend-card.tsx";

export default function CreditsPage() {
  const { params, workspaceId, name, isAtLeast } = useWorkspace();
  const { isInstallationOwner } = useUser();
  const range = useRange();
  const [groupBy, setGroupBy] = useSearchState<Grouping>("by", "day");
  const credits = useApi("getCredits", { params });
  const [isGranting, setGranting] = useState(false);
  const [isWarning, setWarning] = useState(false);
  const { data } = credits;
  const warning =
    data && (data.lowBalanceUsd === null ? "no warning set" : `warns below ${formatUsd(data.lowBalanceUsd)}`);
  return (
    <>
      <PageHeader
        title="Credits"
        description="What the workspace may spend on models of the gateway. Models inside this server cost nothing."
        actions={
          <>
            {isAtLeast("admin") && <Button onClick={() => setWarning(true)}>Low-balance warning</Button>}
            <AnchorButton href={addressOf("downloadSpend", { params, query: { ...range.query, groupBy } })} download>
              <DownloadIcon /> CSV
            </AnchorButton>
            {isInstallationOwner && (
              <Button look="primary" onClick={() => setGranting(true)}>
                <PlusIcon /> Grant credits
              </Button>
            )}
          </>
        }
      />
      <Stats>
        <Stat label="Balance" value={data && formatUsd(data.balanceUsd)} note={warning} />
        <Stat label="This month" value={data && formatUsd(data.spentThisMonthUsd)} note="charged so far" />
        <Stat label="Ever" value={data && formatUsd(data.lifetimeSpendUsd)} note="charged in all" />
        <Stat
          label="Owed"
          value={data && formatUsd(data.debtUsd)}
          note={data && (Number(data.debtUsd) > 0 ? "requests are refused" : "nothing is open")}
        />
      </Stats>
      <SpendCard range={range} groupBy={groupBy} onGroupBy={setGroupBy} />
      <History />
      {isGranting && <GrantDialog workspaceId={workspaceId} name={name} onClose={() => setGranting(false)} />}
      {isWarning && <LowBalanceDialog current={data?.lowBalanceUsd ?? null} onClose={() => setWarning(false)} />}
    </>
  );
}
