import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { Button, IconButton } from "./button.tsx";
import { CrossIcon } from "./icons.tsx";
import { Notice } from "./states.tsx";

interface DialogProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  description?: ReactNode;
  isWide?: boolean;
  /** Off for what is shown once: only its own button closes it. */
  closesByItself?: boolean;
  children: ReactNode;
}

/** On a phone it comes from the bottom edge. The overlay is a plain element because Radix's own writes a <style> that the
 *  Content-Security-Policy forbids. */
export function Dialog({ isOpen, onClose, title, description, isWide, closesByItself = true, children }: DialogProps) {
  const stay = closesByItself ? undefined : (event: Event) => event.preventDefault();
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="fade fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
          className={classNames(
            "appear fixed z-50 flex max-h-[92dvh] flex-col overflow-hidden border bg-raised shadow-pop outline-none",
            "inset-x-0 bottom-0 rounded-t-2xl sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-full sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl",
            isWide ? "sm:max-w-2xl" : "sm:max-w-md",
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-5 pb-3">
            <div className="grid flex-1 gap-1">
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="text-sm text-muted">{description}</Radix.Description>}
            </div>
            {closesByItself && (
              <Radix.Close asChild>
                <IconButton label="Close" className="-mt-1.5 -mr-2">
                  <CrossIcon />
                </IconButton>
              </Radix.Close>
            )}
          </header>
          <div className="overflow-y-auto px-5 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}

interface ConfirmProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  children: ReactNode;
  action: string;
  onConfirm(): Promise<unknown>;
}

/** Asks before something that cannot be taken back. Stays open, with the reason, when it fails. */
export function ConfirmDialog({ isOpen, onClose, title, children, action, onConfirm }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <div className="grid gap-3 text-sm text-muted">
        {children}
        {failure && <Notice tone="bad">{failure}</Notice>}
      </div>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" isBusy={isBusy} onClick={confirm}>
          {action}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
