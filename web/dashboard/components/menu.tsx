import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";

const panel = "appear z-50 max-h-[70dvh] min-w-52 overflow-y-auto rounded-xl border bg-raised p-1 shadow-pop";
const row =
  "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none data-highlighted:bg-hover data-disabled:opacity-50";

/** A button's menu. Not modal: a modal one writes a <style> that the Content-Security-Policy forbids. */
export function Menu({
  trigger,
  children,
  align = "end",
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align={align} sideOffset={6} collisionPadding={8} className={panel}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemProps {
  icon?: ReactNode;
  onSelect(): void;
  isDanger?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ icon, onSelect, isDanger, isDisabled, children }: ItemProps) {
  return (
    <Radix.Item
      disabled={isDisabled ?? false}
      // The menu gives focus back when it has closed; whatever opens next must come after that.
      onSelect={() => setTimeout(onSelect)}
      className={classNames(row, isDanger && "text-bad")}
    >
      {icon && <span className="text-base text-faint">{icon}</span>}
      <span className="min-w-0 flex-1">{children}</span>
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 text-xs text-faint">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
