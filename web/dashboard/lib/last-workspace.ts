const storedAs = "parlance-workspace";

/** The workspace of the last visit, where the browser lets us remember it. */
export const lastWorkspace = {
  get(): string | null {
    try {
      return localStorage.getItem(storedAs);
    } catch {
      return null;
    }
  },
  set(id: string): void {
    try {
      localStorage.setItem(storedAs, id);
    } catch {
      // Then the first workspace opens next time.
    }
  },
};
