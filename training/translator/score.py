"""chrF of packed weights, greedy, with torch.  usage: score.py WORK PACK --flores FOLDER --dev FOLDER [--lines 200] [--only es,hi]"""
import argparse
import collections
import json
import os
import re

import numpy as np
import torch

from greedy import Greedy


def grams(text, n):
    return collections.Counter(text[i : i + n] for i in range(len(text) - n + 1))


def chrf(hypotheses, references, most=6, beta=2):
    """Corpus chrF2 over character 1- to 6-grams, blanks left out."""
    hit, ours, theirs = np.zeros(most), np.zeros(most), np.zeros(most)
    for h, r in zip(hypotheses, references):
        h, r = re.sub(r"\s+", "", h), re.sub(r"\s+", "", r)
        for n in range(most):
            a, b = grams(h, n + 1), grams(r, n + 1)
            hit[n] += sum((a & b).values())
            ours[n] += sum(a.values())
            theirs[n] += sum(b.values())
    p, r = (hit / np.maximum(ours, 1)).mean(), (hit / np.maximum(theirs, 1)).mean()
    return 100 * (1 + beta**2) * p * r / max(1e-9, beta**2 * p + r)


def lines_of(path):
    with open(path, encoding="utf8") as f:
        return [x.rstrip("\n") for x in f]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("work")
    a.add_argument("pack")
    a.add_argument("--flores")
    a.add_argument("--dev")
    a.add_argument("--lines", type=int, default=200)
    a.add_argument("--only", default="")
    a.add_argument("--out")
    a = a.parse_args()
    g = Greedy(a.work, a.pack, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    langs = a.only.split(",") if a.only else [t[1:-1] for t in g.tok.ids if re.fullmatch("<[a-z][a-z]>", t) and t != "<en>"]
    scores = {}
    for lang in langs:
        sets = {}
        if a.flores and os.path.exists(f"{a.flores}/flores-{lang}.txt"):
            sets["flores"] = (lines_of(f"{a.flores}/flores-en.txt"), lines_of(f"{a.flores}/flores-{lang}.txt"))
        if a.dev and os.path.exists(f"{a.dev}/{lang}.tsv"):
            rows = [x.split("\t") for x in lines_of(f"{a.dev}/{lang}.tsv")]
            sets["dev"] = ([r[0] for r in rows], [r[1] for r in rows])
        for name, (en, xx) in sets.items():
            en, xx = en[: a.lines], xx[: a.lines]
            to, back = g.translate(en, "en", lang), g.translate(xx, lang, "en")
            scores[f"{name} en-{lang}"], scores[f"{name} {lang}-en"] = round(chrf(to, xx), 2), round(chrf(back, en), 2)
            print(f"{name} {lang}: to {scores[f'{name} en-{lang}']:.1f} back {scores[f'{name} {lang}-en']:.1f} | {to[0][:90]} | {back[0][:90]}", flush=True)
    if a.out:
        with open(a.out, "w", encoding="utf8") as f:
            json.dump(scores, f, indent=1)


if __name__ == "__main__":
    main()
