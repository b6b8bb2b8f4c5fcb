import { appendFile, copyFile, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeOnnxMetadata } from "./onnx-metadata.ts";

/** What Piper writes beside a voice. */
const piperSettings = z.looseObject({
  audio: z.looseObject({ sample_rate: z.int() }),
  espeak: z.looseObject({ voice: z.string() }),
  num_speakers: z.int(),
  phoneme_id_map: z.record(z.string(), z.array(z.int()).min(1)),
  language: z.looseObject({ name_english: z.string().optional() }).optional(),
});

/** A voice as Piper's own project ships it, in the form that sherpa-onnx reads: the settings go into the graph's metadata and the
 *  phonemes into a file of their own. */
export async function preparePiper({ folder }: { folder: string }): Promise<void> {
  const name = (await readdir(folder)).find((one) => one.endsWith(".onnx.json"));
  if (!name) throw new Error("There is no .onnx.json beside the voice.");
  const settings = piperSettings.parse(JSON.parse(await readFile(join(folder, name), "utf8")));
  const tokens = Object.entries(settings.phoneme_id_map).map(([symbol, [id]]) => `${symbol} ${id}\n`);
  await writeFile(join(folder, "tokens.txt"), tokens.join(""));
  const scratch = join(folder, `voice.${process.pid}.new`);
  try {
    await copyFile(join(folder, name.slice(0, -".json".length)), scratch);
    await appendFile(
      scratch,
      writeOnnxMetadata({
        model_type: "vits",
        comment: "piper",
        language: settings.language?.name_english ?? settings.espeak.voice,
        voice: settings.espeak.voice,
        has_espeak: "1",
        n_speakers: String(settings.num_speakers),
        sample_rate: String(settings.audio.sample_rate),
      }),
    );
    await rename(scratch, join(folder, "voice.onnx"));
  } finally {
    await rm(scratch, { force: true });
  }
}
