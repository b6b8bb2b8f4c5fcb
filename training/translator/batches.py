"""Batches without padding: whole pairs laid end to end until one side is full, drawn by share of language and weight of source."""
import os
import time

import numpy as np

from text import BOS, EOS, PAD

LONGEST = 128  # of a sequence with its tags; the filler is cut to this as well
SEQUENCES = 4096


class Pairs:
    """All shards that are there now, as one array of pieces with starts and lengths."""

    def __init__(self, work, settings, tags):
        folder = os.path.join(work, "shards")
        self.langs = sorted(f[:-4] for f in os.listdir(folder) if f.endswith(".npz") and f[:-4] in settings["shares"])
        made = settings["synthetic"]
        flats, starts, lens, lang, synthetic, chance, base = [], [], [], [], [], [], 0
        for i, x in enumerate(self.langs):
            shards = [(os.path.join(folder, f"{x}.npz"), False), (os.path.join(work, "synthetic", f"{x}.npz"), True)]
            both = os.path.exists(shards[1][0])
            for path, is_made in shards[: 1 + both]:
                with np.load(path) as z:
                    flat, n, w = z["flat"], z["lens"].astype(np.int64), z["weight"].astype(np.float64)
                ends = np.cumsum(n.reshape(-1)).reshape(-1, 4)
                flats.append(flat)
                starts.append(ends - n + base)
                lens.append(n)
                lang.append(np.full(len(n), i))
                synthetic.append(np.full(len(n), is_made))
                part = made["share"] if is_made else 1 - made["share"] * both
                chance.append(w / w.sum() * settings["shares"][x] * part)
                base += len(flat)
        self.flat = np.concatenate(flats)
        self.starts, self.lens, self.lang = np.concatenate(starts), np.concatenate(lens), np.concatenate(lang)
        self.synthetic, self.into_english = np.concatenate(synthetic), made["into_english"]
        cumulative = np.cumsum(np.concatenate(chance))
        self.cumulative = cumulative / cumulative[-1]
        self.spoken = settings["spoken"]
        self.own = np.array([tags[f"<{x}>"] for x in self.langs])
        self.to = np.array([tags[f"<2{x}>"] for x in self.langs])
        self.english, self.to_english, self.made_tag = tags["<en>"], tags["<2en>"], tags["synthetic"]

    def draw(self, rng, n):
        """Synthetic pairs mostly lead into their real, English side, and bear a tag of their own in place of the language's."""
        rows = np.minimum(np.searchsorted(self.cumulative, rng.random(n)), len(self.cumulative) - 1)
        made = self.synthetic[rows]
        into = rng.random(n) < np.where(made, self.into_english, 0.5)
        said = (rng.random(n) < self.spoken * 8) & (self.lens[rows, 2] > 0) & (self.lens[rows, 3] > 0)
        source, target = np.where(into, 1, 0) + 2 * said, np.where(into, 0, 1)
        lang = self.lang[rows]
        return (
            self.starts[rows, source],
            self.lens[rows, source],
            self.starts[rows, target],
            self.lens[rows, target],
            np.where(made, self.made_tag, np.where(into, self.own[lang], self.english)),
            np.where(into, self.to_english, self.to[lang]),
        )


def spread(total, parts):
    out = np.full(parts, total // parts)
    out[: total % parts] += 1
    return out


def lay(flat, starts, lens, head, tail, filler):
    """Sequences end to end: `head` and `tail` cells around each run of pieces, then the filler sequences."""
    whole = np.concatenate([lens + head + tail, filler])
    cu = np.zeros(SEQUENCES + 1, np.int32)
    cu[1 : len(whole) + 1] = np.cumsum(whole)
    cu[len(whole) + 1 :] = cu[len(whole)]
    first = cu[: len(whole)].astype(np.int64)
    pos = np.arange(cu[-1]) - np.repeat(first, whole)
    ids = np.full(cu[-1], PAD, np.int64)
    at = np.repeat(first[: len(lens)] + head - (np.cumsum(lens) - lens), lens) + np.arange(lens.sum())
    ids[at] = flat[np.repeat(starts - (np.cumsum(lens) - lens), lens) + np.arange(lens.sum())]
    return ids, pos, cu, first


def build(pairs, rng, tokens, pool=6000):
    s, sn, t, tn, own, to = pairs.draw(rng, pool)
    room = tokens - 64
    n = int(min(np.searchsorted(np.cumsum(sn + 3), room), np.searchsorted(np.cumsum(tn + 1), room), SEQUENCES - 80))
    s, sn, t, tn, own, to = (x[:n] for x in (s, sn, t, tn, own, to))
    spare = tokens - int((sn + 3).sum()), tokens - int((tn + 1).sum())
    k = max(-(-x // LONGEST) for x in spare)
    if n + k > SEQUENCES or min(spare) < k:
        return build(pairs, rng, tokens, pool)
    src, spos, scu, first = lay(pairs.flat, s, sn, 2, 1, spread(spare[0], k))
    src[first[:n]], src[first[:n] + 1], src[first[:n] + 2 + sn] = own, to, EOS
    tin, tpos, tcu, first = lay(pairs.flat, t, tn, 1, 0, spread(spare[1], k))
    tin[first[:n]] = BOS
    out = np.full(tokens, PAD, np.int64)
    out[:-1] = tin[1:]
    out[first[:n] + tn] = EOS
    out[first[n] :] = PAD
    return np.concatenate([src, spos, tin, tpos, out]).astype(np.uint16), np.concatenate([scu, tcu]), int((tn + 1).sum())


def shards_of(work):
    folders = [f for f in (os.path.join(work, x) for x in ("shards", "synthetic")) if os.path.exists(f)]
    return {os.path.join(f, name) for f in folders for name in os.listdir(f) if name.endswith(".npz")}


def producer(queue, work, settings, tags, tokens, seed):
    rng = np.random.default_rng(seed)
    while True:
        have = shards_of(work)
        pairs = Pairs(work, settings, tags)
        looked = time.time()
        while True:
            queue.put(build(pairs, rng, tokens))
            if time.time() - looked > 5:
                looked = time.time()
                if shards_of(work) != have:
                    break
