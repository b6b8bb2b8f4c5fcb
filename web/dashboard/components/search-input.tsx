import { SearchIcon } from "./icons.tsx";

interface SearchInputProps {
  label: string;
  value: string;
  onChange(value: string): void;
  className?: string;
}

export function SearchInput({ label, value, onChange, className = "" }: SearchInputProps) {
  return (
    <span className={`relative block ${className}`}>
      <SearchIcon className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="control pl-9"
      />
    </span>
  );
}
