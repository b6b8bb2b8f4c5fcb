import { useState } from "react";
import { useAction, useApi } from "../../api/use-api.ts";
import { useUser, useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { Field, Input } from "../../components/field.tsx";
import { SimpleForm, SubmitButton } from "../../components/form.tsx";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { formatDate } from "../../lib/format.ts";
import { DepartureDialog } from "../members/departure-dialog.tsx";

export default function WorkspacePage() {
  const { params, isAtLeast, name } = useWorkspace();
  const workspace = useApi("getWorkspace", { params });
  const rename = useAction("renameWorkspace", {
    refreshes: ["getStart", "getWorkspace"],
    says: "Renamed.",
    isQuiet: true,
  });
  const leave = useAction("leaveWorkspace", { isQuiet: true });
  const user = useUser();
  const [isLeaving, setLeaving] = useState(false);
  const { data } = workspace;
  const facts: [string, string | undefined][] = [
    ["Your role", data?.role],
    ["Members", data && String(data.members)],
    ["Gateway plan", data?.gatewayPlan],
    ["Extraction plan", data?.extractionPlan],
    ["Created", data && formatDate(data.createdAt)],
    ["Id", data?.id],
  ];
  return (
    <>
      <PageHeader title="Settings" description="Plans are set by the owner of the installation." />
      <Card title="About this workspace">
        {workspace.error ? (
          <ErrorState error={workspace.error} onRetry={() => workspace.refetch()} />
        ) : (
          <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
            {facts.map(([term, value]) => (
              <div key={term}>
                <dt className="text-[13px] text-faint">{term}</dt>
                <dd className="min-h-5 break-all">{value ?? <Skeleton className="mt-1 w-24" />}</dd>
              </div>
            ))}
          </dl>
        )}
      </Card>
      {isAtLeast("owner") && data && (
        <Card title="Name">
          <SimpleForm
            key={data.name}
            onSubmit={({ name: wanted = "" }) => rename.mutateAsync({ params, body: { name: wanted } })}
          >
            {({ errorOf }) => (
              <div className="flex max-w-md flex-wrap items-start gap-2">
                <Field label="Workspace name" isLabelHidden error={errorOf("name")} className="flex-1 basis-52">
                  <Input name="name" required maxLength={80} defaultValue={data.name} />
                </Field>
                <SubmitButton look="secondary">Rename</SubmitButton>
              </div>
            )}
          </SimpleForm>
        </Card>
      )}
      <Card title="Leave">
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
          <p className="flex-1 basis-64">You lose access to this workspace. Its last owner cannot leave.</p>
          <Button onClick={() => setLeaving(true)}>Leave workspace</Button>
        </div>
      </Card>
      {isLeaving && (
        <DepartureDialog
          userId={user.id}
          title={`Leave ${name}?`}
          action="Leave"
          text="Only an invitation brings you back."
          heir="the first owner"
          onClose={() => setLeaving(false)}
          onConfirm={async (query) => {
            await leave.mutateAsync({ params, query });
            location.assign("/");
          }}
        />
      )}
    </>
  );
}
