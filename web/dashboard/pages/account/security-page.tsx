import { useState } from "react";
import { useUser } from "../../api/use-session.ts";
import { Button } from "../../components/button.tsx";
import { Card, PageHeader } from "../../components/card.tsx";
import { Badge } from "../../components/states.tsx";
import { AddSecondFactor } from "./add-second-factor.tsx";
import { RemoveSecondFactor, RenewCodes } from "./change-second-factor.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Open = "add" | "remove" | "renew" | undefined;

export default function SecurityPage() {
  const { hasSecondFactor } = useUser();
  const [open, setOpen] = useState<Open>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHeader title="Second factor" description="With it, a stolen password alone does not open your account." />
      <Card
        title="Authenticator app"
        actions={<Badge tone={hasSecondFactor ? "good" : "warn"}>{hasSecondFactor ? "on" : "off"}</Badge>}
      >
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-xl flex-1 basis-64 text-sm text-muted">
            {hasSecondFactor
              ? "At sign-in you are asked for the six digits that your authenticator shows, or for a recovery code."
              : "Any app that makes time-based codes will do: 1Password, Bitwarden, Aegis, Google Authenticator."}
          </p>
          {hasSecondFactor ? (
            <span className="flex flex-wrap gap-2">
              <Button onClick={() => setOpen("renew")}>New recovery codes</Button>
              <Button onClick={() => setOpen("remove")}>Turn off</Button>
            </span>
          ) : (
            <Button look="primary" onClick={() => setOpen("add")}>
              Turn on
            </Button>
          )}
        </div>
      </Card>
      {open === "add" && (
        <AddSecondFactor
          onClose={close}
          onCodes={(made) => {
            close();
            setCodes(made);
          }}
        />
      )}
      {open === "remove" && <RemoveSecondFactor onClose={close} />}
      {open === "renew" && (
        <RenewCodes
          onClose={close}
          onCodes={(made) => {
            close();
            setCodes(made);
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}
