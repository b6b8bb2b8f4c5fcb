import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";

export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      closesByItself={false}
      title="Recovery codes"
      description="Each signs you in once when your authenticator is lost. Keep them somewhere safe; they are not shown again."
    >
      <ul className="grid grid-cols-2 gap-2 rounded-lg border bg-sunken p-4 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogButtons>
        <CopyButton text={codes.join("\n")} label="Copy all" />
        <Button look="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
