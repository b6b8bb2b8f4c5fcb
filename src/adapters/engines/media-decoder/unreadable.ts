import { Problem } from "../../../platform/errors.ts";

/** The one answer to audio that cannot be read, with the reason. */
export function unreadable(reason: string, cause?: unknown): Problem {
  return new Problem(
    "unprocessable_audio",
    `The audio could not be read: ${reason}.`,
    cause === undefined ? {} : { cause },
  );
}

/** What the decoders that come with this program cannot read, a native ffmpeg may. */
export function unreadableCodec(name: string | undefined): Problem {
  const codec = name === undefined ? "" : ` "${name.slice(0, 20)}"`;
  return unreadable(`unsupported audio codec${codec}; a server with the setting SVC_FFMPEG reads more`);
}
