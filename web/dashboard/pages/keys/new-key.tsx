import { useStart } from "../../api/use-session.ts";
import { Button } from "../../components/button.tsx";
import { Copyable, Snippets } from "../../components/code.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Notice } from "../../components/states.tsx";
import { firstRequests } from "../../lib/first-requests.ts";

/** The only time a key is shown: only its own button closes this. */
export function NewKey({
  secret,
  scopes,
  isOpen,
  onClose,
}: {
  secret: string;
  scopes: readonly string[];
  isOpen: boolean;
  onClose(): void;
}) {
  const { installation } = useStart();
  const usable = firstRequests(installation.services, secret).filter(({ scope }) => scopes.includes(scope));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} closesByItself={false} isWide title="Your new key">
      <div className="grid gap-4">
        <Notice tone="warn">Copy it now. It is stored only as a hash and cannot be shown again.</Notice>
        <Copyable label="The new key" text={secret} />
        {usable.map(({ service, title, snippets }) => (
          <section key={service} className="grid min-w-0 gap-2">
            <h3 className="text-sm font-medium">{title}</h3>
            <Snippets snippets={snippets} />
          </section>
        ))}
      </div>
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
