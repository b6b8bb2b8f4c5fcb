/** How loud it is, as a bar. */
export function Level({ label, level }: { label: string; level: number }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a meter element each in their own way
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(level * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 w-28 overflow-hidden rounded-full bg-hover"
    >
      <div className="h-full rounded-full bg-accent" style={{ width: `${level * 100}%` }} />
    </div>
  );
}
