import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
/** Also read by public/theme.js before the first paint. */
const storedAs = "parlance-theme";
const listeners = new Set<() => void>();

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(storedAs);
    else localStorage.setItem(storedAs, theme);
  } catch {
    // Without storage it holds until the page is closed.
  }
  for (const tell of listeners) tell();
}

export function useTheme(): Theme {
  return useSyncExternalStore((tell) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, readTheme);
}
