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
  const isSafe = new URL(origin).protocol === "https:";
  // As undici does, for whoever names only one.
  return proxies?.httpProxy || (isSafe && proxies?.httpsProxy) ? proxies : undefined;
}

/** A host that is asked without a proxy, as undici reads NO_PROXY: by its name or a domain it belongs to. */
export function isDirect(hostname: string, { noProxy }: Proxies): boolean {
  const host = hostname.toLowerCase();
  return noProxy.split(/[,\s]+/).some((entry) => {
    const name = entry
      .replace(/:\d+$/, "")
      .replace(/^\*?\./, "")
      .toLowerCase();
    return name === "*" || (name !== "" && (host === name || host.endsWith(`.${name}`)));
  });
}

/** Everything that this process fetches goes by the proxies of its environment. */
export async function useProxies(): Promise<void> {
  const proxies = readProxies();
  if (!proxies) return;
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import("undici");
  setGlobalDispatcher(new EnvHttpProxyAgent(proxies));
}
