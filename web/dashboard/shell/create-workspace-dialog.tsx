import { useNavigate } from "@tanstack/react-router";
import { useAction } from "../api/use-api.ts";
import { Dialog } from "../components/dialog.tsx";
import { Field, Input } from "../components/field.tsx";
import { FormButtons, SimpleForm } from "../components/form.tsx";

export function CreateWorkspaceDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const navigate = useNavigate();
  const create = useAction("createWorkspace", { refreshes: ["getStart"], isQuiet: true });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New workspace"
      description="Its own keys, members, credits and usage. You become its owner."
    >
      <SimpleForm
        onSubmit={async (values) => {
          const made = await create.mutateAsync({ body: { name: values.name ?? "" } });
          onClose();
          await navigate({ to: `/w/${made.id}` });
        }}
      >
        {({ errorOf }) => (
          <>
            <Field label="Name" error={errorOf("name")}>
              <Input name="name" required maxLength={80} autoFocus placeholder="Support team" />
            </Field>
            <FormButtons action="Create workspace" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}
