"""Turns parallel text into token shards.  usage: prepare.py DATA WORK [languages ...]

DATA holds XX.tsv.xz (english TAB foreign TAB source), to which written.py adds; WORK holds tokenizer.json. Each language becomes WORK/shards/XX.npz, written
under another name first, so that a trainer that is already running can pick up languages as they appear.
"""
import collections
import lzma
import multiprocessing as mp
import os
import sys
import time
import zlib

import numpy as np

from held_out import held_out
from sources import settings_of
from text import Tokenizer, as_spoken, inward
from written import rows as written_rows

MOST = 124  # pieces a side; longer pairs are left out rather than cut
TOK = None
ROWS = {}


def encode(job):
    lang, start, stop, settings = job
    excluded, everyday = settings["excluded"], settings["everyday"]
    flat, lens, weight, said, source, dropped = [], [], [], [], [], 0
    for line in ROWS[lang][start:stop]:
        parts = line.rstrip("\n").split("\t")
        if len(parts) != 3 or parts[2] in excluded or held_out(parts[0], "en") or held_out(parts[1], lang):
            dropped += 1
            continue
        english, foreign = inward(parts[0], "en"), inward(parts[1], lang)
        if not english or not foreign or (english == foreign and len(english) > 25):
            dropped += 1
            continue
        a, b = TOK.encode(english), TOK.encode(foreign)
        long, short = max(len(a), len(b)), min(len(a), len(b))
        if long > MOST or (long > 24 and long > 3.2 * short):
            dropped += 1
            continue
        sides = [a, b, [], []]
        if short > 2 and zlib.crc32(line.encode()) % 8 == 0:
            sides[2:] = TOK.encode(as_spoken(english)), TOK.encode(as_spoken(foreign))
        for s in sides:
            flat.extend(s)
        lens.append([len(s) for s in sides])
        said.append(parts[2] in everyday["sources"])
        source.append(parts[2])
        is_short = said[-1] and long <= everyday["short"]
        weight.append(settings["weights"].get(parts[2], 1.0) * (everyday["short_times"] if is_short else 1))
    return (
        np.array(flat, np.uint16),
        np.array(lens, np.uint16).reshape(-1, 4),
        np.array(weight, np.float32),
        np.array(said, bool),
        np.array(source, str),
        dropped,
    )


def everyday_first(weight, said, rule):
    """What people say gets its share of the draws, however little of it a language has; but some have a hundred such pairs, which would be
    learned by heart, so none weighs more than `most` times the average of the others."""
    own, rest = weight[said].sum(), weight[~said].sum()
    if own == 0 or rest == 0:
        return weight
    wanted = rule["share"] / (1 - rule["share"]) * rest / own
    return np.where(said, weight * min(wanted, rule["most"] * weight[~said].mean() / weight[said].mean()), weight)


def at_least(weight, source, least):
    """A source with few pairs gets its least share of the draws."""
    for name, share in least.items():
        own = source == name
        have = weight[own].sum() / weight.sum()
        if 0 < have < share:
            weight = np.where(own, weight * (share / (1 - share)) * (1 - have) / have, weight)
    return weight


def main():
    global TOK
    data, work = sys.argv[1], sys.argv[2]
    began = time.time()
    settings = settings_of()
    TOK = Tokenizer(os.path.join(work, "tokenizer.json"))
    langs = sys.argv[3:] or [x for x in settings["shares"] if os.path.exists(os.path.join(data, f"{x}.tsv.xz"))]
    shards = os.path.join(work, "shards")
    os.makedirs(shards, exist_ok=True)
    processes = max(1, min(16, os.cpu_count() or 1))
    with mp.Pool(processes) as pool:
        ROWS.update(pool.map(read, [(data, x) for x in langs], chunksize=1))
    print(f"{time.time() - began:.0f}s read {sum(map(len, ROWS.values()))} pairs", flush=True)
    jobs = [(x, i, i + 8000, settings) for x in langs for i in range(0, len(ROWS[x]), 8000)]
    parts, left = collections.defaultdict(list), collections.Counter(j[0] for j in jobs)
    with mp.Pool(processes) as pool:
        for job, got in zip(jobs, pool.imap(encode, jobs, chunksize=1)):
            lang = job[0]
            parts[lang].append(got)
            left[lang] -= 1
            if left[lang]:
                continue
            flat, lens, weight, said, source = (np.concatenate(column) for column in list(zip(*parts[lang]))[:5])
            dropped = sum(part[5] for part in parts.pop(lang))
            weight = at_least(everyday_first(weight, said, settings["everyday"]), source, settings["least"])
            path = os.path.join(shards, f"{lang}.npz")
            with open(path + ".part", "wb") as f:
                np.savez(f, flat=flat, lens=lens, weight=weight.astype(np.float32))
            os.replace(path + ".part", path)
            drawn = weight / weight.sum()
            print(
                f"{time.time() - began:.0f}s {lang}: {len(lens)} pairs, {dropped} left out, {drawn[said].sum():.0%} of the draws from the "
                f"{said.sum()} of everyday speech, {lens[:, 0].mean():.1f} and {lens[:, 1].mean():.1f} pieces a side",
                flush=True,
            )


def read(job):
    data, lang = job
    with lzma.open(os.path.join(data, f"{lang}.tsv.xz"), "rt", encoding="utf8") as f:
        return lang, f.readlines() + ["\t".join(row) for row in written_rows(lang)]


if __name__ == "__main__":
    main()
