/** Something is under way; `label` says what to people who do not see it. */
export function Spinner({ label = "Loading" }: { label?: string }) {
  return (
    <span role="status" className="inline-flex">
      <span className="size-4 animate-[spin_700ms_linear_infinite] rounded-full border-2 border-current border-r-transparent" />
      <span className="sr-only">{label}</span>
    </span>
  );
}
