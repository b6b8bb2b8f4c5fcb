import { useApi } from "../../api/use-api.ts";
import { useStart, useUser, useWorkspace } from "../../api/use-session.ts";
import { LinkButton } from "../../components/button.tsx";
import { PageHeader, Stat, Stats } from "../../components/card.tsx";
import { formatCount, formatMs, formatUsd } from "../../lib/format.ts";
import { FirstRequestCard } from "./first-request-card.tsx";
import { NextSteps } from "./next-steps.tsx";
import { trials } from "./trials.ts";

export default function WelcomePage() {
  const user = useUser();
  const { installation } = useStart();
  const { params, workspaceId } = useWorkspace();
  const usage = useApi("getUsage", { params, query: {} });
  const credits = useApi("getCredits", { params });
  const keys = useApi("listKeys", { params });
  const active = keys.data?.keys.filter(({ state }) => state === "active").length;
  const totals = usage.data?.totals;
  const offered = trials.filter(({ service }) => installation.services.some(({ name }) => name === service));
  return (
    <>
      <PageHeader
        title={`Hello, ${user.name.split(" ")[0]}`}
        description="Make the first request of each service right here, then create a key for your own program."
        actions={
          <LinkButton look="primary" to={`/w/${workspaceId}/keys`} search={{ create: "yes" } as never}>
            Create API key
          </LinkButton>
        }
      />
      <Stats>
        <Stat
          label="Requests, 30 days"
          value={totals && formatCount(totals.requests)}
          note={totals && `${formatCount(totals.errors)} failed`}
        />
        <Stat
          label="Typical latency"
          value={totals && formatMs(totals.p50Ms)}
          note={totals && `95 % under ${formatMs(totals.p95Ms)}`}
        />
        <Stat
          label="Active keys"
          value={active}
          note={keys.data && (active === 0 ? "Create your first" : `of ${keys.data.keys.length} ever made`)}
        />
        <Stat
          label="Credits"
          value={credits.data && formatUsd(credits.data.balanceUsd)}
          note={credits.data && `${formatUsd(credits.data.spentThisMonthUsd)} this month`}
        />
      </Stats>
      <div className="grid gap-4 lg:grid-cols-2">
        {offered.map((trial) => (
          <FirstRequestCard key={trial.id} trial={trial} />
        ))}
        <NextSteps />
      </div>
    </>
  );
}
