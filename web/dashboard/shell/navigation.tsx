import { Link, useLocation } from "@tanstack/react-router";
import { classNames } from "../lib/class-names.ts";
import { useReachablePages } from "./pages-for.ts";

/** Account pages have their place in the account's menu. */
export function Navigation() {
  const pages = useReachablePages();
  const { pathname } = useLocation();
  const isOnAccount = pathname.startsWith("/account");
  const shown = pages.filter(({ group }) => group !== "Account" || isOnAccount);
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <nav aria-label="Pages" className="grid flex-1 content-start gap-4 overflow-y-auto px-3 py-1">
      {groups.map((group) => (
        <div key={group}>
          {group && <h2 className="px-2.5 pb-1 text-xs font-medium text-faint">{group}</h2>}
          <ul className="grid gap-px">
            {shown
              .filter((page) => page.group === group)
              .map(({ to, title, icon: Icon }) => {
                const isHere = pathname.replace(/\/$/, "") === to;
                return (
                  <li key={to}>
                    <Link
                      to={to}
                      aria-current={isHere ? "page" : undefined}
                      className={classNames(
                        "flex min-h-8.5 items-center gap-2.5 rounded-lg px-2.5 text-sm max-lg:min-h-10",
                        isHere ? "bg-hover font-medium text-ink" : "text-muted hover:bg-hover hover:text-ink",
                      )}
                    >
                      <Icon className={isHere ? "text-accent-ink" : "text-faint"} />
                      {title}
                    </Link>
                  </li>
                );
              })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
