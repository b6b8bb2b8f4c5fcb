/** An engine of the operator's own is offered under the name of its model. */
export function nameOf(remote: string | undefined, own: string): string {
  return `local/${remote?.split("/").at(-1) ?? own}`;
}
