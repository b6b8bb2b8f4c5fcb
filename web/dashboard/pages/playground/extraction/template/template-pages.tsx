import { type PointerEvent, useState } from "react";
import { classNames } from "../../../../lib/class-names.ts";
import { DocumentPages } from "../document-pages.tsx";
import type { Box } from "../extraction.ts";
import { PagePictures, placeOf } from "../page-pictures.tsx";
import type { Aim, Line, Tried } from "./draft.ts";

/** A box smaller than this part of a page was a click. */
const leastPart = 0.004;

interface TemplatePagesProps {
  file: File;
  tried: Tried | undefined;
  aim: Aim | undefined;
  chosen: string | undefined;
  onChoose(name: string): void;
  onBox(page: number, box: Box): void;
  onLabel(line: Line): void;
}

/** The document that a template is made from: what it finds, or where to point. */
export function TemplatePages({ file, tried, aim, chosen, onChoose, onBox, onLabel }: TemplatePagesProps) {
  if (!aim) return <DocumentPages file={file} fields={tried?.fields ?? {}} chosen={chosen} onChoose={onChoose} />;
  return (
    <PagePictures
      file={file}
      overlay={(page) =>
        aim.how === "box" ? (
          <DrawBox label={`Draw a box on page ${page}`} onBox={(box) => onBox(page, box)} />
        ) : (
          (tried?.lines ?? [])
            .filter((line) => line.page === page)
            .map((line) => <LineButton key={line.box.join(" ")} line={line} onPick={() => onLabel(line)} />)
        )
      }
    />
  );
}

function LineButton({ line, onPick }: { line: Line; onPick(): void }) {
  return (
    <button
      type="button"
      aria-label={`Use “${line.text}” as a label`}
      onClick={onPick}
      style={placeOf(line.box)}
      className="absolute rounded-sm border border-dashed border-accent bg-accent/5 hover:bg-accent/25"
    />
  );
}

/** A page to drag a box on. By keyboard a label can be picked, or the definition written. */
function DrawBox({ label, onBox }: { label: string; onBox(box: Box): void }) {
  const [drag, setDrag] = useState<{ from: [number, number]; to: [number, number] }>();
  const at = (event: PointerEvent<HTMLElement>): [number, number] => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const within = (value: number) => Math.round(Math.max(0, Math.min(1, value)) * 1000) / 1000;
    return [within((event.clientX - left) / width), within((event.clientY - top) / height)];
  };
  const box = drag && boxOf(drag.from, drag.to);
  return (
    <div
      role="img"
      aria-label={label}
      // A finger draws instead of scrolling.
      className="absolute inset-0 cursor-crosshair touch-none bg-accent/5"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: at(event), to: at(event) });
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: at(event) })}
      onPointerCancel={() => setDrag(undefined)}
      onPointerUp={() => {
        setDrag(undefined);
        if (box && box[2] - box[0] > leastPart && box[3] - box[1] > leastPart) onBox(box);
      }}
    >
      {box && <div className={classNames("absolute border-2 border-accent bg-accent/15")} style={placeOf(box)} />}
    </div>
  );
}

function boxOf(from: [number, number], to: [number, number]): Box {
  return [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])];
}
