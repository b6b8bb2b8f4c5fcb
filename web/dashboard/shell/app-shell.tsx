import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useStart } from "../api/use-session.ts";
import { IconButton } from "../components/button.tsx";
import { CrossIcon, MenuIcon, SearchIcon } from "../components/icons.tsx";
import { classNames } from "../lib/class-names.ts";
import { AccountMenu } from "./account-menu.tsx";
import { LowBalance } from "./low-balance.tsx";
import { Navigation } from "./navigation.tsx";
import { usePageTitle } from "./use-page-title.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

const CommandPalette = lazy(() => import("./command-palette.tsx"));

/** Navigation on the left from a laptop on, behind a button below that; the page on the right. */
export function AppShell() {
  const [isNavigationOpen, setNavigationOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const { pathname } = useLocation();
  const { user } = useStart();
  const router = useRouter();
  usePageTitle();

  useEffect(() => setNavigationOpen(false), [pathname]);
  // Signed out here or in another tab: the guards of the routes lead to the sign-in page.
  useEffect(() => {
    if (!user) void router.invalidate();
  }, [user, router]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPaletteOpen((open) => !open);
      }
      if (event.key === "Escape") setNavigationOpen(false);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  if (!user) return null;
  return (
    <div className="lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b bg-surface/95 px-2 backdrop-blur lg:hidden">
        <IconButton label="Open navigation" aria-expanded={isNavigationOpen} onClick={() => setNavigationOpen(true)}>
          <MenuIcon />
        </IconButton>
        <div className="min-w-0 flex-1">
          <WorkspaceSwitcher />
        </div>
        <IconButton label="Search" onClick={() => setPaletteOpen(true)}>
          <SearchIcon />
        </IconButton>
      </header>
      {isNavigationOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape and the button do the same
        <div className="fade fixed inset-0 z-30 bg-black/45 lg:hidden" onClick={() => setNavigationOpen(false)} />
      )}
      <aside
        className={classNames(
          "flex flex-col border-r bg-sunken max-lg:fixed max-lg:inset-y-0 max-lg:left-0 max-lg:z-30 max-lg:w-72 max-lg:shadow-pop lg:sticky lg:top-0 lg:h-dvh",
          isNavigationOpen ? "" : "max-lg:hidden",
        )}
      >
        <div className="flex items-center gap-1 p-3 pb-2">
          <div className="min-w-0 flex-1">
            <WorkspaceSwitcher />
          </div>
          <IconButton label="Close navigation" className="lg:hidden" onClick={() => setNavigationOpen(false)}>
            <CrossIcon />
          </IconButton>
        </div>
        <div className="px-3 pb-2">
          <button
            type="button"
            onClick={() => setPaletteOpen(true)}
            className="flex min-h-9 w-full items-center gap-2 rounded-lg border bg-raised px-2.5 text-sm text-faint hover:border-line-strong hover:text-muted"
          >
            <SearchIcon /> Search
            <kbd className="ml-auto rounded border bg-sunken px-1.5 font-sans text-[11px]">{shortcut}</kbd>
          </button>
        </div>
        <Navigation />
        <AccountMenu />
      </aside>
      <div className="min-w-0">
        <LowBalance />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto grid max-w-6xl gap-5 px-4 py-6 outline-none sm:px-6 lg:px-8 lg:py-8"
        >
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {isPaletteOpen && (
        <Suspense>
          <CommandPalette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

const shortcut = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
