import { type ReactNode, useEffect, useState } from "react";
import { Notice, Skeleton } from "../../../components/states.tsx";
import { drawPages } from "./draw-pages.ts";
import type { Box } from "./extraction.ts";

interface PagePicturesProps {
  file: File;
  /** What lies on a page, counted from 1; its boxes are fractions of it. */
  overlay(page: number): ReactNode;
}

/** The pages of a document, each with something on it. */
export function PagePictures({ file, overlay }: PagePicturesProps) {
  const [pages, setPages] = useState<string[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isGone = false;
    let made: string[] = [];
    setPages(undefined);
    setProblem(undefined);
    drawPages(file)
      .then((urls) => {
        made = urls;
        if (isGone) for (const url of urls) URL.revokeObjectURL(url);
        else setPages(urls);
      })
      .catch((error: Error) => !isGone && setProblem(error.message));
    return () => {
      isGone = true;
      for (const url of made) URL.revokeObjectURL(url);
    };
  }, [file]);
  if (problem) return <Notice>{problem}</Notice>;
  if (!pages) return <Skeleton className="aspect-3/4 w-full" />;
  return (
    <ol className="grid gap-4">
      {pages.map((url, index) => (
        <li key={url} className="relative overflow-hidden rounded-lg border bg-white">
          <img
            src={url}
            alt={`Page ${index + 1} of ${file.name}`}
            className="w-full"
            draggable={false}
            onError={() => setProblem("Browsers cannot show this kind of picture. The fields stand beside it.")}
          />
          {overlay(index + 1)}
        </li>
      ))}
    </ol>
  );
}

/** Pixels around a box, so that the words in it can still be read. */
const marginPixels = 3;

/** Where a box lies on its page. */
export function placeOf([left, top, right, bottom]: Box) {
  const percent = (value: number) => `${value * 100}%`;
  return {
    left: `calc(${percent(left)} - ${marginPixels}px)`,
    top: `calc(${percent(top)} - ${marginPixels}px)`,
    width: `calc(${percent(right - left)} + ${2 * marginPixels}px)`,
    height: `calc(${percent(bottom - top)} + ${2 * marginPixels}px)`,
  };
}
