export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5 text-[17px] font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent)" />
        <path d="M8 14v4M13 10v12M18 7.5v17M23.5 12v8" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      Parlance
    </span>
  );
}
