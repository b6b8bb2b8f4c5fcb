import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { Logo } from "../../components/logo.tsx";

/** The look of every page that needs no sign-in: one narrow card. */
export function PublicFrame({
  title,
  description,
  children,
  footer,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Parlance`;
  }, [title]);
  return (
    <div className="grid min-h-dvh content-center justify-items-center gap-6 bg-sunken px-4 py-10">
      <header>
        <Link to="/" aria-label="Parlance, start page" className="rounded-lg">
          <Logo />
        </Link>
      </header>
      <main className="w-full max-w-sm rounded-2xl border bg-raised p-6 shadow-card">
        <h1 className="text-lg font-semibold">{title}</h1>
        {description && <p className="mt-1 text-sm text-muted">{description}</p>}
        <div className="mt-5 grid gap-4">{children}</div>
      </main>
      <footer className="max-w-sm text-center text-[13px] text-muted">{footer}</footer>
    </div>
  );
}
