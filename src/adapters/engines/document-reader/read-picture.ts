import sharp from "sharp";
import { Problem } from "../../../platform/errors.ts";
import type { ReadLimits } from "../../../ports/document-reader.ts";

/** 8-bit RGB pixels, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** More pixels than this add time and no accuracy. */
const usefulPixels = 8_000_000;

sharp.cache(false);
sharp.concurrency(1);

/** Looks at a picture's header only: how large it is and how many pages it has. */
export async function measurePicture(
  bytes: Uint8Array,
  limits: ReadLimits,
): Promise<{ width: number; height: number; pages: number }> {
  const { width, height, pages } = await openPicture(bytes, false, 0)
    .metadata()
    .catch((cause: unknown) => {
      throw unreadable(cause);
    });
  if (!width || !height) throw unreadable(undefined);
  if (width * height > limits.maxPixels) {
    throw new Problem(
      "too_large",
      `The picture has ${Math.round((width * height) / 1e6)} megapixels; at most ${Math.round(limits.maxPixels / 1e6)} are read.`,
    );
  }
  if ((pages ?? 1) > limits.maxPages) {
    throw new Problem("too_large", `The document has ${pages} pages; at most ${limits.maxPages} are read.`);
  }
  return { width, height, pages: pages ?? 1 };
}

/** Decodes one page of a picture: upright by its EXIF mark, opaque on white, in plain RGB, shrunk to what is useful. */
export async function decodePicture(bytes: Uint8Array, limits: ReadLimits, page = 0): Promise<Picture> {
  try {
    const image = openPicture(bytes, limits.maxPixels, page).rotate();
    const { width = 1, height = 1 } = await openPicture(bytes, limits.maxPixels, page).metadata();
    const scale = Math.sqrt(usefulPixels / (width * height));
    const sized =
      scale < 1
        ? image.resize({
            width: Math.max(1, Math.round(longSide(width, height, scale))),
            fit: "inside",
            height: Math.max(1, Math.round(longSide(width, height, scale))),
          })
        : image;
    const { data, info } = await sized
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return { width: info.width, height: info.height, data: info.channels === 1 ? spreadGray(pixels) : pixels };
  } catch (cause) {
    throw unreadable(cause);
  }
}

function longSide(width: number, height: number, scale: number): number {
  return Math.max(width, height) * scale;
}

function openPicture(bytes: Uint8Array, maxPixels: number | false, page: number) {
  return sharp(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    limitInputPixels: maxPixels,
    failOn: "error",
    page,
    pages: 1,
  });
}

function spreadGray(gray: Uint8Array): Uint8Array {
  const rgb = new Uint8Array(gray.length * 3);
  for (let index = 0; index < gray.length; index++) rgb.fill(gray[index]!, index * 3, index * 3 + 3);
  return rgb;
}

function unreadable(cause: unknown): Problem {
  return new Problem("unreadable_document", "The picture is damaged and could not be decoded.", { cause });
}
