/** Whoever is on this machine is never behind a proxy. */
const ownHosts = ["localhost", "127.0.0.1", "::1"];

export interface Proxies {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy: string;
}

/** What the environment says about proxies, by the names that every program knows; undefined where it says nothing. */
export function readProxies(env: NodeJS.ProcessEnv = process.env): Proxies | undefined {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || undefined;
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || undefined;
  if (!httpProxy && !httpsProxy) return undefined;
  const noProxy = [env.no_proxy || env.NO_PROXY, ...ownHosts].filter(Boolean).join(",");
  return { ...(httpProxy ? { httpProxy } : {}), ...(httpsProxy ? { httpsProxy } : {}), noProxy };
}

/** The same for one address; undefined where no proxy can be meant. */
export function proxiesFor(origin: string, env?: NodeJS.ProcessEnv): Proxies | undefined {
  const proxies = readProxies(env);
  const { protocol } = new URL(origin);
  return (protocol === "https:" ? proxies?.httpsProxy : proxies?.httpProxy) ? proxies : undefined;
}
