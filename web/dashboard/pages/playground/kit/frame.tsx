import type { ReactNode } from "react";
import { Card, PageHeader } from "../../../components/card.tsx";
import { Snippets } from "../../../components/code.tsx";
import { EngineState } from "./engine-state.tsx";
import { requestCode, type ShownRequest } from "./request-code.ts";

interface FrameProps {
  title: string;
  description: ReactNode;
  /** Capabilities of the engines behind the page. */
  capabilities: readonly string[];
  actions?: ReactNode;
  /** The request that was just made. */
  request: ShownRequest | undefined;
  children: ReactNode;
}

/** A page of the playground: what it is, how its engines are, its content, and the request as code. */
export function PlaygroundFrame({ title, description, capabilities, actions, request, children }: FrameProps) {
  return (
    <>
      <PageHeader title={title} description={description} actions={actions} />
      <EngineState capabilities={capabilities} />
      {children}
      <Card
        title="As code"
        description={
          request
            ? "The request just made. PARLANCE_API_KEY stands for a key of yours."
            : "Make a request, and it stands here as code to take away."
        }
      >
        {request ? (
          <Snippets snippets={requestCode(request)} />
        ) : (
          <p className="text-sm text-faint">Nothing sent yet.</p>
        )}
      </Card>
    </>
  );
}
