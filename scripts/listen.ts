import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { encodeFinished, finishSpeech } from "../src/voice/speech/synthesize.ts";
import { lacksModels, openLocalSpeech, speechModels } from "../tests/support/local-speech.ts";
import { listenTexts } from "./listen-texts.ts";

/** Writes a page with every voice to hear: npm run listen [-- folder [language ...]] */
const [folder = "listen", ...only] = process.argv.slice(2);
if (lacksModels(...speechModels)) process.exit(1);

const local = openLocalSpeech();
const sections: string[] = [];
try {
  await mkdir(folder, { recursive: true });
  for (const { code, label, engine, voices } of local.engine.languages()) {
    if (only.length > 0 && !only.includes(code)) continue;
    const text = listenTexts[code];
    if (text === undefined) throw new Error(`listen-texts.ts has no text for ${code}`);
    const rows: string[] = [];
    for (const voice of voices) {
      const wanted = { text, language: code, voice: voice.id };
      const speech = await finishSpeech(
        local.engine,
        wanted,
        { workspaceId: "w", keyId: "listen" },
        new AbortController().signal,
      );
      const file = `${code}-${voice.id}.mp3`;
      await writeFile(join(folder, file), await encodeFinished(speech, "mp3"));
      rows.push(
        `<tr><td>${voice.label}<td><code>${voice.id}</code><td><audio controls preload="none" src="${file}"></audio>`,
      );
      console.log(`${code} ${voice.id} ${(speech.durationMs / 1000).toFixed(1)} s`);
    }
    sections.push(
      `<h2>${label} <small>${code}, ${engine}</small></h2><p lang="${code}" dir="auto">${text}</p><table>${rows.join("")}</table>`,
    );
  }
} finally {
  await local.close();
}
const style =
  "body{font:16px system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}small{color:#666}td{padding:.2rem .8rem .2rem 0}";
await writeFile(
  join(folder, "index.html"),
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Voices</title><style>${style}</style><h1>Voices</h1>${sections.join("\n")}</html>\n`,
);
console.log(`\nOpen ${resolve(folder, "index.html")}`);
