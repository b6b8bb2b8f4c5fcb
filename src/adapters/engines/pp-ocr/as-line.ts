import type { TiltedBox } from "./raster.ts";

/** A box that is far taller than wide holds text that runs upwards; read it along its long side. */
export function asLine(box: TiltedBox): TiltedBox {
  if (box.height <= box.width * 2.2) return box;
  return { ...box, width: box.height, height: box.width, angle: box.angle - Math.PI / 2 };
}
