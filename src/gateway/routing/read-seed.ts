import type { Settings } from "../../platform/settings/settings.ts";
import { readAliases } from "../catalog/aliases.ts";
import { readAddresses } from "../upstreams/read-addresses.ts";
import type { RoutingSeed } from "./read-routing.ts";

/** What the settings say about upstreams; a value that makes no sense stops the start. */
export function readRoutingSeed({ gateway }: Settings): RoutingSeed {
  return { addresses: readAddresses(gateway), aliases: readAliases(gateway.aliases) };
}
