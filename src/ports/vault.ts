/** Keeps secrets that must be forgotten on demand. What is sealed may lie anywhere (a database with its log and its free pages, a
 *  backup): without its key it is noise, and the key is one small thing that can be destroyed. */
export interface Vault {
  /** Seals under a name; the first time, its key is made. */
  seal(name: string, secret: Uint8Array): Promise<Uint8Array>;
  /** Throws when the key is gone, or when what was sealed has been changed. */
  open(name: string, sealed: Uint8Array): Promise<Uint8Array>;
  /** From now on nothing that was sealed under this name can be opened. Bears repetition. */
  destroy(name: string): Promise<void>;
  /** Names whose keys were made at least this long ago. */
  names(olderThanMs: number): Promise<string[]>;
}
