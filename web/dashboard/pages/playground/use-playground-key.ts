import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";

interface Held {
  secret: string;
  expiresAt: string;
}

/** A key is asked for again when it has less than this left. */
const renewBeforeMs = 60_000;
const held = new Map<string, Promise<Held>>();

/** A short-lived, real key of this session for requests that pages make to the three services. It stays in memory. `refused` is
 *  a key that no longer works: another one is made. */
export function usePlaygroundKey(): (refused?: string) => Promise<string> {
  const { workspaceId } = useWorkspace();
  return async (refused) => {
    const asked = held.get(workspaceId);
    const known = await asked?.catch(() => undefined);
    const isGood =
      known && known.secret !== refused && new Date(known.expiresAt).getTime() - Date.now() > renewBeforeMs;
    if (isGood) return known.secret;
    // A new key ends the one before, so two requests that come together share one.
    if (held.get(workspaceId) === asked) {
      held.set(workspaceId, call("createPlaygroundKey", { params: { workspaceId } }));
    }
    return (await held.get(workspaceId)!).secret;
  };
}
