import type { ApiKeyDetails } from "../../../../src/dashboard/contract/keys.ts";
import { IconButton } from "../../components/button.tsx";
import { DotsIcon, PencilIcon, TrashIcon } from "../../components/icons.tsx";
import { Menu, MenuItem } from "../../components/menu.tsx";
import { Badge } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatAgo, formatCount, formatDate, formatDateTime, formatUsd } from "../../lib/format.ts";
import { describeScopes } from "./describe-scopes.ts";

interface KeyTableProps {
  keys: readonly ApiKeyDetails[];
  onEdit(key: ApiKeyDetails): void;
  onRevoke(key: ApiKeyDetails): void;
}

export function KeyTable({ keys, onEdit, onRevoke }: KeyTableProps) {
  return (
    <Table
      label="API keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        {
          title: "Name",
          className: "max-w-64",
          cell: (key) => (
            <div className="grid gap-0.5">
              <span className="flex min-w-0 items-center gap-2">
                <span className="truncate font-medium">{key.name}</span>
                {key.state !== "active" && <Badge tone={key.state === "revoked" ? "bad" : "warn"}>{key.state}</Badge>}
              </span>
              <span className="truncate text-[13px] text-faint">
                <code className="font-mono">…{key.hint}</code>
                {key.createdBy ? ` by ${key.createdBy}` : " from the command line"}
              </span>
            </div>
          ),
        },
        {
          title: "Scopes",
          from: "md",
          className: "max-w-52",
          cell: ({ scopes }) => <span title={scopes.join(", ")}>{describeScopes(scopes)}</span>,
        },
        {
          title: "Last used",
          cell: ({ lastUsedAt }) =>
            lastUsedAt ? (
              <span title={formatDateTime(lastUsedAt)}>{formatAgo(lastUsedAt)}</span>
            ) : (
              <span className="text-faint">never</span>
            ),
        },
        {
          title: "30 days",
          isRight: true,
          from: "sm",
          cell: ({ last30Days }) => (
            <div className="grid">
              <span>{formatCount(last30Days.requests)} requests</span>
              <span className="text-[13px] text-faint">{formatUsd(last30Days.spentUsd)}</span>
            </div>
          ),
        },
        {
          title: "Limits",
          from: "lg",
          cell: (key) => {
            const limits = limitsOf(key);
            return (
              <div className="grid text-[13px] text-muted">
                {limits.map((limit) => (
                  <span key={limit}>{limit}</span>
                ))}
                {limits.length === 0 && <span className="text-faint">none of its own</span>}
              </div>
            );
          },
        },
        {
          title: "Actions",
          isTitleHidden: true,
          isRight: true,
          className: "w-12",
          cell: (key) =>
            key.isYours && key.state !== "revoked" ? (
              <Menu
                trigger={
                  <IconButton label={`Actions for ${key.name}`}>
                    <DotsIcon />
                  </IconButton>
                }
              >
                <MenuItem icon={<PencilIcon />} onSelect={() => onEdit(key)}>
                  Rename and limits
                </MenuItem>
                <MenuItem icon={<TrashIcon />} isDanger onSelect={() => onRevoke(key)}>
                  Revoke
                </MenuItem>
              </Menu>
            ) : null,
        },
      ]}
    />
  );
}

function limitsOf(key: ApiKeyDetails): string[] {
  const { ratePerMinute, tokensPerMinute, dailyLimitUsd, monthlyLimitUsd, models, expiresAt } = key;
  return [
    ratePerMinute !== null && `${formatCount(ratePerMinute)} a minute`,
    tokensPerMinute !== null && `${formatCount(tokensPerMinute)} tokens a minute`,
    dailyLimitUsd !== null && `${formatUsd(key.spentTodayUsd)} of ${formatUsd(dailyLimitUsd)} today`,
    monthlyLimitUsd !== null && `${formatUsd(key.spentThisMonthUsd)} of ${formatUsd(monthlyLimitUsd)} this month`,
    models?.join(", "),
    expiresAt && `until ${formatDate(expiresAt)}`,
  ].filter((limit) => typeof limit === "string" && limit !== "") as string[];
}
