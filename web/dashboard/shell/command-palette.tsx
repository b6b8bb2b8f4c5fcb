import { useNavigate } from "@tanstack/react-router";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useStart } from "../api/use-session.ts";
import {
  BookIcon,
  ChevronRightIcon,
  MoonIcon,
  PlusIcon,
  SearchIcon,
  SignOutIcon,
  SunIcon,
} from "../components/icons.tsx";
import { classNames } from "../lib/class-names.ts";
import { setTheme } from "../lib/theme.ts";
import { useReachablePages } from "./pages-for.ts";
import { useSignOut } from "./use-sign-out.ts";

interface Command {
  name: string;
  group: string;
  icon: ReactNode;
  words?: string | undefined;
  run(): unknown;
}

/** Everything a person can go to or do, found by typing. */
export default function CommandPalette({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const found = useCommands().filter(({ name, group, words }) => fits(`${group} ${name} ${words ?? ""}`, typed));
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      const next = (chosen + by + found.length) % Math.max(1, found.length);
      setChosen(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter") run(found[chosen]);
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="fade fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          className="appear fixed inset-x-3 top-[12dvh] z-50 mx-auto flex max-h-[70dvh] max-w-xl flex-col overflow-hidden rounded-2xl border bg-raised shadow-pop outline-none"
        >
          <Radix.Title className="sr-only">Search pages and actions</Radix.Title>
          <div className="flex items-center gap-2.5 border-b px-4 text-faint">
            <SearchIcon />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls={list}
              aria-activedescendant={found.length > 0 ? `${list}-${chosen}` : undefined}
              aria-label="Search pages and actions"
              placeholder="Where to?"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setChosen(0);
              }}
              onKeyDown={press}
              className="h-13 flex-1 bg-transparent text-ink outline-none placeholder:text-faint"
            />
          </div>
          <div id={list} role="listbox" aria-label="Pages and actions" className="overflow-y-auto p-2">
            {found.map((command, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input has the focus and the keys
              <div
                key={`${command.group} ${command.name}`}
                id={`${list}-${at}`}
                role="option"
                aria-selected={at === chosen}
                onPointerMove={() => setChosen(at)}
                onClick={() => run(command)}
                className={classNames(
                  "flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 text-sm",
                  at === chosen && "bg-hover",
                )}
              >
                <span className="text-faint">{command.icon}</span>
                <span className="min-w-0 flex-1 truncate">{command.name}</span>
                <span className="text-xs text-faint">{command.group}</span>
              </div>
            ))}
            {found.length === 0 && <p className="px-3 py-8 text-center text-sm text-muted">Nothing is called that.</p>}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function useCommands(): Command[] {
  const navigate = useNavigate();
  const pages = useReachablePages();
  const { workspaces } = useStart();
  const signOut = useSignOut();
  const keys = pages.find(({ path }) => path === "/keys");
  return [
    ...pages.map(({ title, group, icon: Icon, words, to }) => ({
      name: title,
      group: group || "Workspace",
      icon: <Icon />,
      words,
      run: () => navigate({ to }),
    })),
    ...(keys
      ? [
          {
            name: "Create API key",
            group: "Action",
            icon: <PlusIcon />,
            run: () => navigate({ to: keys.to, search: { create: "yes" } as never }),
          },
        ]
      : []),
    ...workspaces.map(({ id, name }) => ({
      name: `Switch to ${name}`,
      group: "Workspace",
      icon: <ChevronRightIcon />,
      run: () => navigate({ to: `/w/${id}` }),
    })),
    { name: "Use the light theme", group: "Action", icon: <SunIcon />, run: () => setTheme("light") },
    { name: "Use the dark theme", group: "Action", icon: <MoonIcon />, run: () => setTheme("dark") },
    { name: "Use the system's theme", group: "Action", icon: <SunIcon />, run: () => setTheme("system") },
    {
      name: "Read the API reference",
      group: "Action",
      icon: <BookIcon />,
      words: "docs",
      run: () => open("/docs", "_blank", "noopener"),
    },
    { name: "Sign out", group: "Action", icon: <SignOutIcon />, run: signOut },
  ];
}

/** Every word that was typed begins some word of the text. */
function fits(text: string, typed: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}
