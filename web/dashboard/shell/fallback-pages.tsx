import type { ErrorComponentProps } from "@tanstack/react-router";
import { AnchorButton, Button } from "../components/button.tsx";
import { EmptyState, ErrorState, Skeleton } from "../components/states.tsx";

/** While a page's code is on its way. */
export function LoadingPage() {
  return (
    <div className="grid gap-5" role="status">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}

export function NotFoundPage() {
  return (
    <main className="mx-auto max-w-lg py-20">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState title="There is nothing at this address" action={<AnchorButton href="/">Go home</AnchorButton>}>
        The link may be old, or the page may belong to a workspace that you are not a member of.
      </EmptyState>
    </main>
  );
}

export function RouteErrorPage({ error }: ErrorComponentProps) {
  return (
    <main className="mx-auto max-w-lg py-20">
      <h1 className="sr-only">Something went wrong</h1>
      <ErrorState error={error} />
      <p className="text-center">
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </p>
    </main>
  );
}
