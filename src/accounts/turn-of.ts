/** Who asks an engine for something: a caller, or the holder of a token that a caller has minted. */
export interface TurnTaker {
  readonly keyId: string;
  readonly workspace?: { readonly id: string };
  readonly workspaceId?: string;
}

/** Whose turn a job takes in an engine's queue: the workspace and the key, so that neither fills the queue of the others. */
export function turnOf({ keyId, workspace, workspaceId = workspace?.id ?? "" }: TurnTaker): string {
  return `${workspaceId}/${keyId}`;
}
