import type { ReactNode } from "react";
import { Badge } from "../../components/states.tsx";
import type { Column } from "../../components/table.tsx";
import { formatAgo } from "../../lib/format.ts";

/** What is said of a person wherever people are listed. */
export const personColumns: readonly Column<{ hasSecondFactor: boolean; lastSeenAt: string | null }>[] = [
  {
    title: "Second factor",
    from: "md",
    cell: ({ hasSecondFactor }) =>
      hasSecondFactor ? <Badge tone="good">on</Badge> : <span className="text-faint">off</span>,
  },
  {
    title: "Last seen",
    from: "sm",
    cell: ({ lastSeenAt }) => <span className="text-muted">{lastSeenAt ? formatAgo(lastSeenAt) : "never"}</span>,
  },
];

/** Name and e-mail, with what sets the person apart. */
export function PersonCell({ name, email, mark }: { name: string; email: string; mark?: ReactNode }) {
  return (
    <span className="grid">
      <span className="flex items-center gap-2">
        <span className="truncate font-medium">{name}</span>
        {mark}
      </span>
      <span className="truncate text-[13px] text-faint">{email}</span>
    </span>
  );
}
