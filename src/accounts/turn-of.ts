/** Who asks an engine for something: a caller, or the holder of a token that a caller has minted. Never a key alone: workspaces would
 *  share its turn. */
export type TurnTaker =
  | { readonly keyId: string; readonly workspace: { readonly id: string } }
  | { readonly keyId: string; readonly workspaceId: string }
  /** Somebody whose turn was made before. */
  | { readonly turn: string };

/** Whose turn a job takes in an engine's queue: the workspace and the key, so that neither fills the queue of the others. */
export function turnOf(taker: TurnTaker): string {
  if ("turn" in taker) return taker.turn;
  const workspaceId = "workspace" in taker ? taker.workspace.id : taker.workspaceId;
  return `${workspaceId}/${taker.keyId}`;
}
