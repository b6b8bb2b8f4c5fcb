import { useState } from "react";
import { encode } from "uqr";
import { useAction } from "../../api/use-api.ts";
import { Copyable } from "../../components/code.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormButtons, SimpleForm } from "../../components/form.tsx";
import { PasswordField } from "../public/password-field.tsx";

export function AddSecondFactor({ onClose, onCodes }: { onClose(): void; onCodes(codes: readonly string[]): void }) {
  const begin = useAction("beginSecondFactor", { isQuiet: true });
  const confirm = useAction("confirmSecondFactor", { refreshes: ["getStart"], isQuiet: true });
  const [begun, setBegun] = useState<{ secret: string; uri: string }>();
  if (!begun) {
    return (
      <Dialog isOpen onClose={onClose} title="Turn on the second factor" description="First, show that it is you.">
        <SimpleForm onSubmit={async ({ password = "" }) => setBegun(await begin.mutateAsync({ body: { password } }))}>
          {({ errorOf }) => (
            <>
              <PasswordField error={errorOf("password")} />
              <FormButtons action="Continue" onCancel={onClose} />
            </>
          )}
        </SimpleForm>
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Scan this with your authenticator"
      description="Then enter the six digits that it shows."
    >
      <div className="mb-4 grid gap-3">
        <QrCode text={begun.uri} />
        <p className="text-[13px] text-faint">No camera? Enter this secret by hand:</p>
        <Copyable label="Secret" text={begun.secret} />
      </div>
      <SimpleForm
        onSubmit={async ({ code = "" }) =>
          onCodes((await confirm.mutateAsync({ body: { code: code.trim() } })).recoveryCodes)
        }
      >
        {({ errorOf }) => (
          <>
            <Field label="Code" error={errorOf("code")}>
              <Input
                name="code"
                required
                autoFocus
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={20}
                className="font-mono tracking-widest"
              />
            </Field>
            <FormButtons action="Turn on" onCancel={onClose} />
          </>
        )}
      </SimpleForm>
    </Dialog>
  );
}

/** Black on white in both themes: not every camera reads the inverse. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label="QR code with the secret"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-lg border"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join("")} fill="#000" />
    </svg>
  );
}
