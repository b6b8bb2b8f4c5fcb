import { call } from "../../api/client.ts";
import { PageHeader } from "../../components/card.tsx";
import { AuditList } from "../audit/audit-list.tsx";

export default function AllAuditPage() {
  return (
    <>
      <PageHeader
        title="All audit"
        description="Every administrative action of every workspace, sign-ins and failed ones included."
      />
      <AuditList
        hasWorkspaces
        queryKey={["listAllAudit"]}
        load={(cursor) => call("listAllAudit", { query: { limit: 50, ...(cursor ? { cursor } : {}) } })}
      />
    </>
  );
}
