import { type RefObject, useEffect, useState } from "react";

/** As fine as anybody sees. */
const stepSeconds = 0.05;
/** A clock that stood still for so long is left alone until something happens. Longer than the head start of sound that arrives. */
const restMs = 500;
/** What a player tells when it begins, goes on or is moved. */
const signs = ["play", "timeupdate"] as const;

/** What a clock says, in seconds. It is looked at with every frame while it runs and not at all while it stands, so that an idle page
 *  costs nothing. `box` holds the player that it follows; whatever else may have started the clock changes `since`. */
export function useClock(
  read: () => number | undefined,
  box: RefObject<HTMLElement | null>,
  since?: unknown,
): number | undefined {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    const element = box.current;
    let frame: number | undefined;
    let shown: number | undefined;
    let movedAt = 0;
    const look = () => {
      const seconds = read();
      if (seconds === undefined || shown === undefined || Math.abs(seconds - shown) >= stepSeconds) {
        if (seconds !== shown) movedAt = performance.now();
        shown = seconds;
        setNow(seconds);
      }
      frame = performance.now() - movedAt < restMs ? requestAnimationFrame(look) : undefined;
    };
    const wake = () => {
      movedAt = performance.now();
      frame ??= requestAnimationFrame(look);
    };
    wake();
    for (const sign of signs) element?.addEventListener(sign, wake, true);
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      for (const sign of signs) element?.removeEventListener(sign, wake, true);
    };
  }, [read, box, since]);
  return now;
}
