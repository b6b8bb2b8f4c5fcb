/** What the server's thread asks of the database's thread. `transaction` names an open one. */
export type DatabaseCall =
  | { op: "query"; sql: string; parameters: unknown[]; rowMode: "array" | "object"; transaction?: number }
  | { op: "exec"; sql: string; transaction?: number }
  | { op: "begin"; transaction: number }
  | { op: "end"; transaction: number; commits: boolean }
  | { op: "listen"; channel: string }
  | { op: "close" };

/** The first message; calls follow when it has been answered. */
export interface OpenFolder {
  folder: string;
}

export type ToDatabaseThread = DatabaseCall & { id: number };

export type FromDatabaseThread =
  | { type: "opened" }
  | { type: "open-failed"; message: string }
  | { type: "result"; id: number; result: unknown }
  | { type: "failure"; id: number; error: { message: string; [detail: string]: unknown } }
  | { type: "notification"; channel: string; payload: string };
