import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { useReachablePages } from "./pages-for.ts";

/** The tab says which page it is. */
export function usePageTitle(): void {
  const { pathname } = useLocation();
  const title = useReachablePages().find(({ to }) => to === pathname.replace(/\/$/, ""))?.title;
  useEffect(() => {
    document.title = title ? `${title} · Parlance` : "Parlance";
  }, [title]);
}
