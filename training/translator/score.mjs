// chrF and CPU time of exported graphs in Node.
// usage: node score.mjs MODEL --flores FOLDER --dev FOLDER [--beam 1,4] [--lines 200] [--only es,hi] [--out scores.json]
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

// Before the library loads: it would write events into the temporary folder.
process.env.ORT_DISABLE_TELEMETRY = "1";
const ort = await import("onnxruntime-node");

const EOS = 2;
const BOS = 1;
const SPACE = "\u2581";

export class Tokenizer {
  constructor(file) {
    this.ids = new Map(Object.entries(file.model.vocab));
    this.pieces = [];
    for (const [piece, id] of this.ids) this.pieces[id] = piece;
    this.rank = new Map(file.model.merges.map(([a, b], i) => [`${a} ${b}`, i]));
    this.special = new Set(file.added_tokens.map((t) => t.id));
    const split = file.pre_tokenizer.pretokenizers.find((p) => p.type === "Split");
    this.words = new RegExp(split.pattern.Regex, "gu");
    this.cache = new Map();
  }

  word(word) {
    const known = this.cache.get(word);
    if (known) return known;
    let parts = [...word];
    while (parts.length > 1) {
      let best = Infinity;
      let at = -1;
      for (let i = 0; i + 1 < parts.length; i++) {
        const rank = this.rank.get(`${parts[i]} ${parts[i + 1]}`);
        if (rank !== undefined && rank < best) [best, at] = [rank, i];
      }
      if (at < 0) break;
      const [left, right] = [parts[at], parts[at + 1]];
      const joined = [];
      for (let i = 0; i < parts.length; i++) {
        if (parts[i] === left && parts[i + 1] === right) {
          joined.push(left + right);
          i++;
        } else joined.push(parts[i]);
      }
      parts = joined;
    }
    const out = parts.flatMap(
      (p) =>
        this.ids.get(p) ??
        [...Buffer.from(p, "utf8")].map((b) => this.ids.get(`<0x${b.toString(16).toUpperCase().padStart(2, "0")}>`)),
    );
    this.cache.set(word, out);
    return out;
  }

  encode(text) {
    if (!text) return [];
    return ((SPACE + text.replaceAll(" ", SPACE)).match(this.words) ?? []).flatMap((w) => this.word(w));
  }

  decode(ids) {
    const bytes = [];
    for (const id of ids) {
      const piece = this.pieces[id];
      if (piece === undefined || this.special.has(id)) continue;
      if (/^<0x[0-9A-F]{2}>$/.test(piece)) bytes.push(Buffer.from([parseInt(piece.slice(3, 5), 16)]));
      else bytes.push(Buffer.from(piece, "utf8"));
    }
    return Buffer.concat(bytes).toString("utf8").replaceAll(SPACE, " ").trim();
  }
}

export class Translator {
  static async load(folder) {
    const t = new Translator();
    const json = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
    t.config = json("config.json");
    t.tokenizer = new Tokenizer(json("tokenizer.json"));
    const options = {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
    };
    t.encoder = await ort.InferenceSession.create(path.join(folder, "encoder.onnx"), options);
    t.decoder = await ort.InferenceSession.create(path.join(folder, "decoder.onnx"), options);
    return t;
  }

  move(text, from, to) {
    if (from === to) return text;
    return text.replace(/[\u0900-\u0d7f]/g, (c) => {
      const p = c.charCodeAt(0);
      return p >= from && p < from + 128 && p !== 0x964 && p !== 0x965 ? String.fromCharCode(p - from + to) : c;
    });
  }

  inward(text, lang) {
    const clean = text
      .normalize("NFKC")
      .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0e-\x1f\x7f]/g, "")
      .replace(/[\s\x1c-\x1f\x85]+/g, " ")
      .trim();
    return this.move(clean, this.config.blocks[lang] ?? this.config.devanagari, this.config.devanagari);
  }

  outward(text, lang) {
    return this.move(text, this.config.devanagari, this.config.blocks[lang] ?? this.config.devanagari).normalize("NFC");
  }

  /** Translates a few sentences at once; `fixed` makes every output that long, to measure time. */
  async translate(lines, source, target, beam = 4, fixed = 0) {
    const { tags, heads, d, decoders, longest } = this.config;
    const rows = lines.map((x) => [
      tags[`<${source}>`],
      tags[`<2${target}>`],
      ...this.tokenizer.encode(this.inward(x, source)).slice(0, 2 * longest),
      EOS,
    ]);
    const n = rows.length;
    const wide = Math.max(...rows.map((r) => r.length));
    const cells = new BigInt64Array(n * wide);
    for (const [i, row] of rows.entries()) for (const [j, id] of row.entries()) cells[i * wide + j] = BigInt(id);
    const long = (values) => new ort.Tensor("int64", BigInt64Array.from(values, BigInt), [values.length]);
    const src = new ort.Tensor("int64", cells, [n, wide]);
    const cross = await this.encoder.run({ source: src });
    let past = {};
    for (let i = 0; i < decoders; i++)
      for (const z of ["k", "v"])
        past[`past_${z}${i}`] = new ort.Tensor("float32", new Float32Array(0), [n, heads, 0, d / heads]);
    let open = rows.map((_, i) => ({ sentence: i, ids: [], lp: 0, parent: i }));
    const done = rows.map(() => []);
    const most = rows.map((r) => fixed || Math.min(2 * r.length + 12, 250));
    for (let at = 0; open.length > 0; at++) {
      const out = await this.decoder.run({
        piece: long(open.map((h) => h.ids.at(-1) ?? BOS)),
        at: long([at]),
        source: src,
        sentence: long(open.map((h) => h.sentence)),
        parent: long(open.map((h) => h.parent)),
        ...past,
        ...cross,
      });
      const [score, best] = [out.score.data, out.best.data];
      const width = out.score.dims[1];
      const wanted = new Map();
      open.forEach((h, row) => {
        const list = wanted.get(h.sentence) ?? [];
        for (let c = 0; c < Math.min(width, beam + 1); c++)
          list.push({
            sentence: h.sentence,
            from: h,
            row,
            id: Number(best[row * width + c]),
            lp: h.lp + score[row * width + c],
          });
        wanted.set(h.sentence, list);
      });
      const next = [];
      for (const [sentence, list] of wanted) {
        list.sort((a, b) => b.lp - a.lp);
        let kept = 0;
        for (const [rank, q] of list.entries()) {
          if (kept >= beam) break;
          if (q.id === EOS && !fixed) {
            if (rank < beam) done[sentence].push({ ids: q.from.ids, value: q.lp / (at + 1) ** 0.9 });
            if (beam === 1) break;
            continue;
          }
          kept++;
          next.push({ sentence, ids: [...q.from.ids, q.id], lp: q.lp, parent: q.row });
        }
      }
      open = next.filter((h) => {
        const finished = done[h.sentence];
        if (at + 1 >= most[h.sentence]) {
          if (!finished.length || fixed) finished.push({ ids: h.ids, value: h.lp / (at + 1) ** 0.9 });
          return false;
        }
        return finished.length < beam;
      });
      past = {};
      for (let i = 0; i < decoders; i++) for (const z of ["k", "v"]) past[`past_${z}${i}`] = out[`next_${z}${i}`];
    }
    return done.map((list) =>
      this.outward(this.tokenizer.decode(list.sort((a, b) => b.value - a.value)[0].ids), target),
    );
  }
}

export function chrf(hypotheses, references, most = 6, beta = 2) {
  const [hit, ours, theirs] = [0, 1, 2].map(() => new Float64Array(most));
  const grams = (text, n) => {
    const letters = [...text];
    const counts = new Map();
    for (let i = 0; i + n <= letters.length; i++) {
      const g = letters.slice(i, i + n).join("");
      counts.set(g, (counts.get(g) ?? 0) + 1);
    }
    return counts;
  };
  const sum = (m) => [...m.values()].reduce((x, y) => x + y, 0);
  hypotheses.forEach((h, i) => {
    for (let n = 0; n < most; n++) {
      const [a, b] = [grams(h.replace(/\s+/g, ""), n + 1), grams(references[i].replace(/\s+/g, ""), n + 1)];
      for (const [g, c] of a) hit[n] += Math.min(c, b.get(g) ?? 0);
      ours[n] += sum(a);
      theirs[n] += sum(b);
    }
  });
  const mean = (x) => hit.reduce((total, h, n) => total + h / Math.max(1, x[n]), 0) / most;
  const [p, r] = [mean(ours), mean(theirs)];
  return (100 * (1 + beta ** 2) * p * r) / Math.max(1e-9, beta ** 2 * p + r);
}

async function main() {
  const { values: o, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      flores: { type: "string" },
      dev: { type: "string" },
      beam: { type: "string", default: "1,4" },
      lines: { type: "string", default: "200" },
      only: { type: "string" },
      out: { type: "string" },
    },
  });
  const t = await Translator.load(positionals[0]);
  const read = (file) => fs.readFileSync(file, "utf8").replace(/\n$/, "").split("\n").slice(0, Number(o.lines));
  const scores = {};
  for (const lang of o.only?.split(",") ?? t.config.langs.slice(1)) {
    const sets = {};
    if (o.flores && fs.existsSync(`${o.flores}/flores-${lang}.txt`))
      sets.flores = [read(`${o.flores}/flores-en.txt`), read(`${o.flores}/flores-${lang}.txt`)];
    if (o.dev && fs.existsSync(`${o.dev}/${lang}.tsv`)) {
      const rows = read(`${o.dev}/${lang}.tsv`).map((x) => x.split("\t"));
      sets.dev = [rows.map((r) => r[0]), rows.map((r) => r[1])];
    }
    for (const [name, [english, foreign]] of Object.entries(sets)) {
      for (const beam of o.beam.split(",").map(Number)) {
        for (const [source, target, from, to] of [
          ["en", lang, english, foreign],
          [lang, "en", foreign, english],
        ]) {
          const order = from.map((_, i) => i).sort((a, b) => from[a].length - from[b].length);
          const out = [];
          const began = process.cpuUsage();
          for (let i = 0; i < order.length; i += 8) {
            const part = order.slice(i, i + 8);
            const got = await t.translate(
              part.map((k) => from[k]),
              source,
              target,
              beam,
            );
            for (const [j, k] of part.entries()) out[k] = got[j];
          }
          const used = process.cpuUsage(began);
          const key = `${name} ${source}-${target} beam ${beam}`;
          scores[key] = Number(chrf(out, to).toFixed(2));
          console.log(
            key,
            scores[key],
            `${Math.round((used.user + used.system) / 1000 / from.length)} ms CPU a line |`,
            out[0].slice(0, 80),
          );
        }
      }
    }
  }
  if (o.out) fs.writeFileSync(o.out, `${JSON.stringify(scores, null, 1)}\n`);
}

if (import.meta.url === `file://${process.argv[1]}`) await main();
