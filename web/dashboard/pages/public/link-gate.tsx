import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Notice, SkeletonRows } from "../../components/states.tsx";
import { PublicFrame } from "./frame.tsx";

interface LinkGateProps<Found> {
  check: UseQueryResult<Found>;
  /** While nobody knows yet what the link is good for. */
  title: string;
  rows: number;
  /** What is wrong when it is good for nothing, and what to do then. */
  failure: string;
  hint: ReactNode;
  children(found: Found): ReactNode;
}

/** Shows what a link leads to once the server has said that it still works. */
export function LinkGate<Found>({ check, title, rows, failure, hint, children }: LinkGateProps<Found>) {
  if (check.isPending) {
    return (
      <PublicFrame title={title}>
        <SkeletonRows rows={rows} />
      </PublicFrame>
    );
  }
  if (check.error) {
    return (
      <PublicFrame title={failure}>
        <Notice tone="bad">{check.error.message}</Notice>
        <p className="text-sm text-muted">{hint}</p>
      </PublicFrame>
    );
  }
  return children(check.data as Found);
}
