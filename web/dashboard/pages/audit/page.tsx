import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { PageHeader } from "../../components/card.tsx";
import { AuditList } from "./audit-list.tsx";

export default function AuditPage() {
  const { params } = useWorkspace();
  return (
    <>
      <PageHeader title="Audit log" description="Who changed what in this workspace, and from where." />
      <AuditList
        queryKey={["listAudit", params]}
        load={(cursor) => call("listAudit", { params, query: { limit: 50, ...(cursor ? { cursor } : {}) } })}
      />
    </>
  );
}
