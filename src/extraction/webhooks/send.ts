import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { Problem } from "../../platform/errors.ts";
import { isDirect, proxiesFor } from "../../platform/proxies.ts";

const timeoutMs = 10_000;

/** Throws unless the address is one that the outside world may be sent to. */
export async function checkWebhookAddress(address: string, allowsPrivate: boolean): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password) {
    throw new Problem("invalid_request", '"webhook_url" must be a plain http or https address.');
  }
  if (!allowsPrivate) await resolvePublic(url.hostname);
}

/** The address a name stands for; refuses names of this machine and of private networks. */
async function resolvePublic(hostname: string): Promise<string> {
  const bare = hostname.replace(/^\[|\]$/g, "");
  const found = isIP(bare) ? [{ address: bare }] : await lookup(bare, { all: true }).catch(() => []);
  if (found.length === 0) throw new Problem("invalid_request", `"webhook_url": there is no host "${hostname}".`);
  if (found.some(({ address }) => isPrivateAddress(address))) {
    throw new Problem("invalid_request", '"webhook_url" must not point to a private or loopback address.');
  }
  return found[0]!.address;
}

/** Addresses that are not the public internet's: RFC 6890 and the registries it began, and everything that carries an IPv4 address
 *  inside an IPv6 one, behind which any of the former may stand. */
const refused = new BlockList();
for (const range of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
  // Unspecified, loopback and IPv4-compatible (IPv4-mapped ones are judged as the IPv4 they are); translated; both forms of NAT64.
  ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"],
  // Discard; Teredo, ORCHID and other protocol assignments; documentation; 6to4.
  ...["100::/64", "2001::/23", "2001:db8::/32", "2002::/16"],
  // Documentation, segment routing, unique local, link-local, site-local, multicast.
  ...["3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
]) {
  const [address, prefix] = range.split("/") as [string, string];
  refused.addSubnet(address, Number(prefix), isIP(address) === 4 ? "ipv4" : "ipv6");
}

export function isPrivateAddress(address: string): boolean {
  const bare = address.split("%")[0]!;
  return refused.check(bare, isIP(bare) === 4 ? "ipv4" : "ipv6");
}

/** What receivers recompute: HMAC-SHA256 over "timestamp.body" with the workspace's secret. */
export function signBody(secret: string, timestamp: number, body: string): string {
  return `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

/** Sends once. The name is resolved here and the connection goes to that very address, so that it cannot change in between. */
export async function sendWebhook(options: {
  url: string;
  body: string;
  secret: string;
  id: string;
  nowMs: number;
  allowsPrivate: boolean;
  signal: AbortSignal;
}): Promise<void> {
  const url = new URL(options.url);
  const address = options.allowsPrivate ? undefined : await resolvePublic(url.hostname);
  const { request } = await import("undici");
  const { dispatcher, to } = await openWay(url, address);
  try {
    const timestamp = Math.floor(options.nowMs / 1000);
    const reply = await request(to, {
      method: "POST",
      dispatcher,
      headers: {
        host: url.host,
        "content-type": "application/json",
        "user-agent": "Parlance-Webhook/1",
        "x-extraction-id": options.id,
        "x-extraction-signature": signBody(options.secret, timestamp, options.body),
      },
      body: options.body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: options.signal,
    });
    await reply.body.dump();
    if (reply.statusCode < 200 || reply.statusCode > 299) throw new Error(`the receiver answered ${reply.statusCode}`);
  } finally {
    await dispatcher.destroy();
  }
}

/** To the address that was checked, whatever the name stands for a moment later. A proxy is told that address, too. */
async function openWay(url: URL, address: string | undefined): Promise<{ dispatcher: Dispatcher; to: URL }> {
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const connect = { timeout: timeoutMs };
  const proxies = proxiesFor(url.origin);
  if (address === undefined) {
    return { dispatcher: proxies ? new EnvHttpProxyAgent({ ...proxies, connect }) : new Agent({ connect }), to: url };
  }
  if (proxies && !isDirect(url.hostname, proxies)) {
    const to = new URL(url);
    to.hostname = isIP(address) === 6 ? `[${address}]` : address;
    const requestTls = isIP(url.hostname) ? {} : { requestTls: { servername: url.hostname } };
    // Its list of exceptions names hosts, and was heeded above.
    return { dispatcher: new EnvHttpProxyAgent({ ...proxies, noProxy: "", ...requestTls }), to };
  }
  const lookup: LookupFunction = (_host, { all }, done) => {
    const family = isIP(address);
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  return { dispatcher: new Agent({ connect: { ...connect, lookup } }), to: url };
}
