import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../../platform/errors.ts";

/** Throws unless a request that changes something comes from a page of this server. Every browser of the last years says where a
 *  request comes from, and no page can make it lie; whoever says nothing is refused. */
export function checkOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  // Knows the address in the browser, whatever a proxy has made of the Host header.
  if (site !== undefined) {
    if (site === "same-origin") return;
    throw foreign();
  }
  const { origin, host } = headers;
  if (!origin || !URL.canParse(origin)) throw foreign();
  const url = new URL(origin);
  if (url.origin !== new URL(publicUrl).origin && url.host !== host) throw foreign();
}

function foreign(): Problem {
  return new Problem("missing_scope", "This request did not come from a page of this server.", {
    reason: "foreign_origin",
  });
}
