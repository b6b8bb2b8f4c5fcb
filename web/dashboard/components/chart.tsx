import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { niceTop } from "../lib/nice-top.ts";

export interface Series {
  label: string;
  values: readonly number[];
}

interface ChartProps {
  /** What it shows, for people who do not see it. */
  label: string;
  /** One name per value, as shown below the chart. */
  periods: readonly string[];
  series: readonly Series[];
  /** Bars of one period stand on each other; lines each on their own. */
  kind?: "bars" | "lines";
  format(value: number): string;
  height?: number;
}

const colours = [
  "var(--chart-1)",
  "var(--chart-2)",
  "var(--chart-3)",
  "var(--chart-4)",
  "var(--chart-5)",
  "var(--chart-6)",
];
export const colourOf = (index: number) => colours[Math.min(index, colours.length - 1)];
const top = 8;
const bottom = 22;
const left = 44;

/** Bars or lines over time, as wide as its place. Pointer and arrow keys show the figures of a period. */
export function Chart({ label, periods, series, kind = "bars", format, height = 220 }: ChartProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [shown, setShown] = useState<number>();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const sums = periods.map((_, at) =>
    kind === "bars"
      ? series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
      : Math.max(0, ...series.map(({ values }) => values[at] ?? 0)),
  );
  const most = niceTop(Math.max(0, ...sums));
  const inner = { width: Math.max(0, width - left), height: height - top - bottom };
  const step = inner.width / Math.max(1, periods.length);
  const y = (value: number) => top + inner.height - (value / most) * inner.height;
  const x = (at: number) => left + step * (at + 0.5);

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const at = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / step);
    setShown(at >= 0 && at < periods.length ? at : undefined);
  };
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    setShown((now) => Math.max(0, Math.min(periods.length - 1, (now ?? (by > 0 ? -1 : periods.length)) + by)));
  };
  const everyLabel = Math.max(1, Math.ceil(70 / Math.max(1, step)));

  return (
    <div ref={place} className="relative w-full" style={{ height }}>
      {width > 0 && (
        <svg
          role="img"
          aria-label={label}
          aria-describedby={shown === undefined ? undefined : id}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk through the periods
          tabIndex={0}
          width={width}
          height={height}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setShown(undefined)}
          onKeyDown={move}
          onBlur={() => setShown(undefined)}
          className="block touch-pan-y rounded-md"
        >
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line
                x1={left}
                x2={width}
                y1={y(most * part)}
                y2={y(most * part)}
                stroke="var(--line)"
                strokeDasharray={part === 0 ? undefined : "2 4"}
              />
              <text x={left - 8} y={y(most * part) + 4} textAnchor="end" fontSize="11" fill="var(--faint)">
                {format(most * part)}
              </text>
            </g>
          ))}
          {shown !== undefined && (
            <rect x={x(shown) - step / 2} y={top} width={step} height={inner.height} fill="var(--hover)" />
          )}
          {kind === "bars"
            ? periods.map((period, at) => (
                <Bar
                  key={period}
                  at={at}
                  x={x(at)}
                  width={Math.max(2, Math.min(36, step * 0.7))}
                  series={series}
                  y={y}
                />
              ))
            : series.map(({ label: name, values }, index) => (
                <path
                  key={name}
                  d={values
                    .map((value, at) => `${at === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
                    .join("")}
                  fill="none"
                  stroke={colourOf(index)}
                  strokeWidth="2"
                  strokeLinejoin="round"
                />
              ))}
          {periods.map((period, at) =>
            at % everyLabel === 0 && x(at) < width - 16 ? (
              <text key={period} x={x(at)} y={height - 6} textAnchor="middle" fontSize="11" fill="var(--faint)">
                {period}
              </text>
            ) : null,
          )}
        </svg>
      )}
      {shown !== undefined && (
        <div
          id={id}
          role="status"
          className="fade pointer-events-none absolute top-2 z-10 grid min-w-36 gap-1 rounded-lg border bg-raised px-3 py-2 text-xs shadow-pop"
          style={x(shown) > width / 2 ? { right: width - x(shown) + step / 2 + 6 } : { left: x(shown) + step / 2 + 6 }}
        >
          <b className="font-medium">{periods[shown]}</b>
          {series.map(({ label: name, values }, index) => (
            <span key={name} className="flex items-center gap-2">
              <Dot index={index} />
              <span className="max-w-40 flex-1 truncate text-muted">{name}</span>
              <span className="tabular-nums">{format(values[shown] ?? 0)}</span>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

function Bar(props: { at: number; x: number; width: number; series: readonly Series[]; y(value: number): number }) {
  let below = 0;
  return (
    <g>
      {props.series.map(({ label, values }, index) => {
        const value = values[props.at] ?? 0;
        const from = props.y(below);
        below += value;
        const size = from - props.y(below);
        return value > 0 ? (
          <rect
            key={label}
            x={props.x - props.width / 2}
            y={from - size}
            width={props.width}
            height={Math.max(1, size)}
            rx={Math.min(2, props.width / 4)}
            fill={colourOf(index)}
          />
        ) : null;
      })}
    </g>
  );
}

export function Dot({ index }: { index: number }) {
  return <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: colourOf(index) }} />;
}

export function Legend({ series, className }: { series: readonly { label: string }[]; className?: string }) {
  return (
    <ul className={classNames("flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-muted", className)}>
      {series.map(({ label }, index) => (
        <li key={label} className="flex max-w-60 items-center gap-1.5">
          <Dot index={index} />
          <span className="truncate">{label}</span>
        </li>
      ))}
    </ul>
  );
}
