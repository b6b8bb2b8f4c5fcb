/** Where to go after signing in: a path of this application, whatever somebody has put into the address. */
export function safePath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > 500 || !/^\/(?![/\\])/.test(wanted) || /[\p{Cc}\\]/u.test(wanted)) return "/";
  // However a browser reads it, it must stay here.
  return new URL(wanted, "https://here.invalid").origin === "https://here.invalid" ? wanted : "/";
}
