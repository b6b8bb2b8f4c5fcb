import { useNavigate, useSearch } from "@tanstack/react-router";

/** A choice that stays in the address, so that links and the back button keep it. */
export function useSearchState<Value extends string>(name: string, fallback: Value): [Value, (value: Value) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const given = search[name];
  const value = (typeof given === "string" || typeof given === "number" ? String(given) : fallback) as Value;
  const change = (next: Value) =>
    navigate({
      to: ".",
      search: (old: Record<string, unknown>) => ({ ...old, [name]: next === fallback ? undefined : next }) as never,
      replace: true,
      resetScroll: false,
    });
  return [value, change];
}
