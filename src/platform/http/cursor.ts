import { Problem } from "../errors.ts";

/** A place in a list that is newest first. */
export interface ListPlace {
  readonly createdAt: Date;
  readonly id: string;
}

export function writeCursor({ createdAt, id }: ListPlace): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString("base64url");
}

/** `field` is what replies call the cursor of the next page. */
export function readCursor(cursor: string, field: string): ListPlace {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as [string, string];
    const moment = new Date(createdAt);
    // A zero byte in a text would be refused by the database.
    if (Number.isNaN(moment.getTime()) || typeof id !== "string" || !/^\w{1,64}$/.test(id))
      throw new Error("not a cursor");
    return { createdAt: moment, id };
  } catch (cause) {
    throw new Problem("invalid_request", `"cursor" must be the ${field} of an earlier reply.`, { cause });
  }
}
