/** Keeps what must be forgotten on demand. What is sealed may lie anywhere (a database with its log and its free pages, a
 *  backup): without its data key it is noise, and the key is one small thing that can be destroyed. */
export interface Vault {
  /** Makes the data key of something new. It is on disk when this resolves. */
  create(name: string): Promise<void>;
  /** Throws KeyMissing when there is no key of this name: it is never made here, so that nothing destroyed comes back. */
  seal(name: string, secret: Uint8Array): Promise<Uint8Array>;
  /** Throws KeyMissing, or another error when what was sealed has been changed. */
  open(name: string, sealed: Uint8Array): Promise<Uint8Array>;
  /** From now on nothing that was sealed under these names can be opened, by any server. Bears repetition. */
  destroy(names: readonly string[]): Promise<void>;
}

/** The data key was destroyed, or this server never had it. */
export class KeyMissing extends Error {
  constructor(name: string) {
    super(`the data key of ${name} is not in the vault`);
  }
}
