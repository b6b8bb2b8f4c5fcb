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
    const known = await held.get(workspaceId)?.catch(() => undefined);
    const isGood =
      known && known.secret !== refused && new Date(known.expiresAt).getTime() - Date.now() > renewBeforeMs;
    if (isGood) return known.secret;
    const asked = call("createPlaygroundKey", { params: { workspaceId } });
    held.set(workspaceId, asked);
    return (await asked).secret;
  };
}
