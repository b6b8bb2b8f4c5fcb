import { Problem } from "../platform/errors.ts";

/** The answer of a route whose capability is still to come: the contract stands, the engine behind it does not. */
export function notYet(capability: string): never {
  throw new Problem("engine_unavailable", `${capability} is not part of this version yet.`);
}
