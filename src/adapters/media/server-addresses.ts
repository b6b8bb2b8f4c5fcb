import type { IceServer } from "../../ports/media.ts";

/** As the library takes them: `turn:user:password@host:port?transport=udp`. It reaches relays over UDP only. */
export function serverAddresses(servers: readonly IceServer[]): string[] {
  return servers.flatMap(({ urls, username, credential }) =>
    [urls].flat().flatMap((url) => {
      const [, scheme, rest] = /^(stun|turn):(.+)$/.exec(url) ?? [];
      if (!scheme || /transport=tcp/.test(url)) return [];
      if (scheme === "stun") return [url];
      const login = `${encodeURIComponent(username ?? "")}:${encodeURIComponent(credential ?? "")}`;
      return [`turn:${login}@${rest!.replace(/\?.*$/, "")}?transport=udp`];
    }),
  );
}
