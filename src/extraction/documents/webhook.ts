import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Problem } from "../../platform/errors.ts";

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

export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const four = mapped ?? (isIP(address) === 4 ? address : undefined);
  if (four) {
    const [a, b] = four.split(".").map(Number) as [number, number];
    return (
      a === 0 ||
      a === 10 ||
      a === 127 ||
      a >= 224 ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 192 && b === 0) ||
      (a === 198 && (b === 18 || b === 19))
    );
  }
  const six = address.toLowerCase();
  return (
    // This machine, and IPv4 addresses written as IPv6 in the two old ways.
    six.startsWith("::") ||
    /^f[cd]/.test(six) ||
    /^fe[89ab]/.test(six) ||
    six.startsWith("ff") ||
    six.startsWith("64:ff9b") ||
    six.startsWith("2002:")
  );
}

/** What receivers recompute: HMAC-SHA256 over "timestamp.body" with the hex SHA-256 of the API key that sent the document. */
export function signBody(keyHash: string, timestamp: number, body: string): string {
  return `t=${timestamp},v1=${createHmac("sha256", keyHash).update(`${timestamp}.${body}`).digest("hex")}`;
}

/** Sends once. The name is resolved here and the connection goes to that very address, so that it cannot change in between. */
export async function sendWebhook(options: {
  url: string;
  body: string;
  keyHash: string;
  id: string;
  nowMs: number;
  allowsPrivate: boolean;
  signal: AbortSignal;
}): Promise<void> {
  const url = new URL(options.url);
  const address = options.allowsPrivate ? undefined : await resolvePublic(url.hostname);
  const { Agent, request } = await import("undici");
  const agent = new Agent({
    connect: {
      timeout: timeoutMs,
      ...(address
        ? {
            lookup: (
              _host: string,
              lookupOptions: { all?: boolean },
              done: (error: null, ...found: unknown[]) => void,
            ) =>
              lookupOptions.all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address)),
          }
        : {}),
    },
  });
  try {
    const timestamp = Math.floor(options.nowMs / 1000);
    const reply = await request(url, {
      method: "POST",
      dispatcher: agent,
      headers: {
        "content-type": "application/json",
        "user-agent": "Parlance-Webhook/1",
        "x-extraction-id": options.id,
        "x-extraction-signature": signBody(options.keyHash, timestamp, options.body),
      },
      body: options.body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: options.signal,
    });
    await reply.body.dump();
    if (reply.statusCode < 200 || reply.statusCode > 299) throw new Error(`the receiver answered ${reply.statusCode}`);
  } finally {
    await agent.destroy();
  }
}
