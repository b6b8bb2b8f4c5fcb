import { Button } from "../../components/button.tsx";
import { Copyable } from "../../components/code.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { formatDateTime } from "../../lib/format.ts";

/** A link that is told once, to be passed on by whatever way the person prefers: this server sends no e-mail. */
export function LinkDialog({
  title,
  text,
  url,
  expiresAt,
  onClose,
}: {
  title: string;
  text: string;
  url: string;
  expiresAt: string;
  onClose(): void;
}) {
  return (
    <Dialog isOpen onClose={onClose} closesByItself={false} isWide title={title} description={text}>
      <div className="grid gap-3">
        <Copyable label="Link" text={url} />
        <p className="text-[13px] text-faint">
          It works once, until {formatDateTime(expiresAt)}, and is not shown again.
        </p>
      </div>
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
