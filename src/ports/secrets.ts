/** Secrets that are stored in the database and used again: sealed with what is not in it, and readable after a restore. */
export interface Secrets {
  /** As text for a column; `purpose` keeps one kind of secret from being taken for another. */
  seal(purpose: string, secret: string): string;
  /** Undefined when it was sealed by another installation. */
  open(purpose: string, sealed: string): string | undefined;
}
