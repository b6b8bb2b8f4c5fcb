"""Translates English sentences into every language with the weights so far, greedily.  usage: synthesize.py WORK PACK ENGLISH.txt.xz [languages ...]

Each language becomes WORK/synthetic/XX.npz in the form of prepare.py's shards. Training on these from the machine's words to the real English
ones teaches it to write what the parallel text has little of. A translation that ran away or fell short is left out.
"""
import lzma
import multiprocessing as mp
import os
import sys
import time

import numpy as np
import torch

from sources import settings_of
from greedy import Greedy
from prepare import MOST
from text import EOS, Tokenizer, inward

AT_ONCE = 2048
TOK = None


def begin(path):
    global TOK
    TOK = Tokenizer(path)


def pieces(line):
    return TOK.encode(inward(line, "en"))


def sound(english, made):
    """Of a likely length, and no piece repeated as often as a net does that is caught in a loop."""
    long, short = max(len(english), len(made)), min(len(english), len(made))
    return short > 2 and long <= MOST and long <= 2.6 * short and np.bincount(made).max() <= 3 + len(made) // 4


def translated(greedy, rows, lang):
    """(english, made) pieces; rows are sorted by length, so that little is padding."""
    for at in range(0, len(rows), AT_ONCE):
        part = rows[at : at + AT_ONCE]
        most = 2 * len(part[-1]) + 10
        for english, made in zip(part, greedy.batch([greedy.row(r, "en", lang) for r in part], most)):
            if EOS in made and sound(english, made[: made.index(EOS)]):
                yield english, made[: made.index(EOS)]


def main():
    work, pack, path, *langs = sys.argv[1:]
    began = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    with lzma.open(path, "rt", encoding="utf8") as f:
        lines = f.read().splitlines()
    with mp.get_context("fork").Pool(min(16, os.cpu_count() or 1), begin, (os.path.join(work, "tokenizer.json"),)) as pool:
        rows = [r for r in pool.map(pieces, lines, chunksize=500) if 2 < len(r) <= MOST]
    rows.sort(key=len)
    print(f"{time.time() - began:.0f}s {len(rows)} sentences, {sum(map(len, rows)) / len(rows):.1f} pieces each", flush=True)
    greedy = Greedy(work, pack, device)
    folder = os.path.join(work, "synthetic")
    os.makedirs(folder, exist_ok=True)
    for lang in langs or settings_of()["shares"]:
        pairs = list(translated(greedy, rows, lang))
        flat = np.concatenate([np.array(e + m, np.uint16) for e, m in pairs])
        lens = np.array([[len(e), len(m), 0, 0] for e, m in pairs], np.uint16)
        made = os.path.join(folder, f"{lang}.npz")
        with open(made + ".part", "wb") as f:
            np.savez(f, flat=flat, lens=lens, weight=np.ones(len(pairs), np.float32))
        os.replace(made + ".part", made)
        print(f"{time.time() - began:.0f}s {lang}: {len(pairs)} of {len(rows)}", flush=True)


if __name__ == "__main__":
    main()
