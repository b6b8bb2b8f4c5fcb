/** How figures, moments and amounts read. */

const whole = new Intl.NumberFormat("en-US");
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

export function formatCount(value: number): string {
  return Math.abs(value) < 100_000 ? whole.format(value) : compact.format(value);
}

export function formatCompact(value: number): string {
  return Math.abs(value) < 1000 ? whole.format(Math.round(value * 100) / 100) : compact.format(value);
}

/** A decimal text in USD: two digits, or as many as a small amount needs to be seen. */
export function formatUsd(amount: string | number): string {
  const value = Number(amount);
  const size = Math.abs(value);
  const sign = value < 0 ? "-" : "";
  if (size === 0) return "$0.00";
  if (size >= 0.01)
    return `${sign}$${size.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: size < 1 ? 4 : 2 })}`;
  return `${sign}$${size.toLocaleString("en-US", { maximumSignificantDigits: 2, maximumFractionDigits: 12 })}`;
}

export function formatMs(value: number | null): string {
  if (value === null) return "-";
  if (value < 1000) return `${Math.round(value)} ms`;
  return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
}

export function formatSeconds(value: number): string {
  if (value < 60) return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} s`;
  if (value < 3600) return `${Math.round(value / 6) / 10} min`;
  return `${Math.round(value / 360) / 10} h`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function formatPercent(fraction: number): string {
  const percent = fraction * 100;
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(1)} %`;
}

const dayOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const dayShort = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dayAndTime = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const timeOnly = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export const formatDate = (moment: string) => dayOnly.format(new Date(moment));
export const formatDateTime = (moment: string) => dayAndTime.format(new Date(moment));
export const formatTime = (moment: string) => timeOnly.format(new Date(moment));
/** A UTC day, YYYY-MM-DD. */
export const formatDay = (day: string) => dayShort.format(new Date(day));

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "2 hours ago", "in 6 days". */
export function formatAgo(moment: string, now = Date.now()): string {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return seconds > 0 ? "in a moment" : "just now";
}
