import { scopeGroups } from "virtual:contract";

/** "All of voice, extract": whole services by name, the rest one by one. */
export function describeScopes(scopes: readonly string[]): string {
  const parts = scopeGroups.flatMap(({ title, scopes: inGroup }) => {
    const granted = inGroup.filter(({ scope }) => scopes.includes(scope));
    if (granted.length === inGroup.length && inGroup.length > 1) return [title];
    return granted.map(({ scope }) => scope);
  });
  const all = scopeGroups.flatMap(({ scopes: inGroup }) => inGroup);
  if (all.every(({ scope }) => scopes.includes(scope))) return "Everything";
  return parts.length > 4 ? `${parts.slice(0, 3).join(", ")} and ${parts.length - 3} more` : parts.join(", ");
}
