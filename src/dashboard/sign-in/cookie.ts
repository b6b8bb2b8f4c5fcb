/** How a browser keeps its session. */
export interface SessionCookie {
  read(header: string | undefined): string | undefined;
  write(token: string, maxAgeSeconds: number): string;
  clear(): string;
}

/** Over https the name begins with `__Host-`: browsers then take it only from this very host, over https, for every path
 *  (RFC 6265bis, section 4.1.3.2). Browsers refuse such a name over http, where a laptop is set up, so there it has a plain one. */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const isSecure = publicUrl.startsWith("https:");
  const name = isSecure ? "__Host-parlance" : "parlance_session";
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read(header = "") {
      const found = header
        .split(";")
        .map((part) => part.trim())
        .filter((part) => part.startsWith(`${name}=`));
      // Two of them were not both set by us: somebody else has put one there.
      return found.length === 1 ? found[0]!.slice(name.length + 1) : undefined;
    },
    write: (token, maxAgeSeconds) => `${name}=${token}; ${attributes}; Max-Age=${maxAgeSeconds}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
