import { createContext, type FormEvent, type ReactNode, useContext, useState } from "react";
import { ApiError } from "../api/client.ts";
import { Button } from "./button.tsx";
import { DialogButtons } from "./dialog.tsx";
import { Notice } from "./states.tsx";

const Busy = createContext(false);

interface FormProps {
  /** Gets the named controls' texts. What it throws is shown: at the field it is about, or above the buttons. */
  onSubmit(values: Record<string, string>): Promise<unknown>;
  children(state: { isBusy: boolean; errorOf(field: string): string | undefined }): ReactNode;
}

/** A form whose controls keep their own values until it is sent. */
export function SimpleForm({ onSubmit, children }: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [fields, setFields] = useState<readonly string[]>([]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const values = Object.fromEntries([...data].filter(([, value]) => typeof value === "string")) as Record<
      string,
      string
    >;
    setFields(Object.keys(values));
    setBusy(true);
    setFailure(undefined);
    try {
      await onSubmit(values);
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setBusy(false);
    }
  };
  const field = failure instanceof ApiError ? failure.field : undefined;
  const isShownAtField = field !== undefined && fields.includes(field);
  return (
    <Busy.Provider value={isBusy}>
      <form onSubmit={submit} className="grid gap-4">
        {failure && !isShownAtField && <Notice tone="bad">{failure.message}</Notice>}
        {children({ isBusy, errorOf: (name) => (isShownAtField && name === field ? failure?.message : undefined) })}
      </form>
    </Busy.Provider>
  );
}

/** The button that sends the form it stands in. */
export function SubmitButton({
  children,
  className,
  look = "primary",
}: {
  children: ReactNode;
  className?: string;
  look?: "primary" | "secondary" | "danger";
}) {
  return (
    <Button type="submit" look={look} isBusy={useContext(Busy)} className={className}>
      {children}
    </Button>
  );
}

export function FormButtons({ action, onCancel }: { action: string; onCancel(): void }) {
  return (
    <DialogButtons>
      <Button onClick={onCancel}>Cancel</Button>
      <SubmitButton>{action}</SubmitButton>
    </DialogButtons>
  );
}
