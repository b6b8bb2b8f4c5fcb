"""Trains the shared byte-pair vocabulary.  usage: tokenizer.py DATA OUT.json [--pieces 28000]"""
import argparse
import collections
import heapq
import json
import lzma
import os
import random

from sources import settings_of
from text import SPACE, WORDS, inward, words


def tags(langs):
    return ["<pad>", "<s>", "</s>", "<unk>"] + [f"<{x}>" for x in langs] + [f"<2{x}>" for x in langs]


def count(data, settings, sample, seed=7):
    """Words of every language, scaled so that each language weighs what its share says."""
    rng = random.Random(seed)
    total = collections.Counter()
    english = collections.Counter()
    for lang, share in settings["shares"].items():
        with lzma.open(os.path.join(data, f"{lang}.tsv.xz"), "rt", encoding="utf8") as f:
            rows = [line.rstrip("\n").split("\t") for line in f]
        rows = [r for r in rows if len(r) == 3 and r[2] not in settings["excluded"]]
        rng.shuffle(rows)
        here = collections.Counter()
        for en, other, source in rows[:sample]:
            heavy = settings["weights"].get(source, 1.0) >= 0.5
            here.update(words(inward(other, lang)))
            if heavy:
                english.update(words(inward(en, "en")))
        mass = sum(here.values())
        for w, n in here.items():
            total[w] += n * share**0.6 / mass
        print(lang, len(rows), len(here), flush=True)
    mass = sum(english.values())
    for w, n in english.items():
        total[w] += n * 0.5 / mass
    return total


def train(counts, base, pieces, alphabet=1100):
    scale = 4e7 / sum(counts.values())
    floor = 2.0
    counts = {w: n * scale for w, n in counts.items() if n * scale >= floor and len(w) <= 40}
    letters = collections.Counter()
    for w, n in counts.items():
        for c in w:
            letters[c] += n
    keep = [c for c, _ in letters.most_common(alphabet)]
    vocab = list(base) + sorted(keep)
    known = set(keep)
    split, freq = [], []
    for w, n in counts.items():
        if all(c in known for c in w):
            split.append(list(w))
            freq.append(n)
    pairs, where = collections.defaultdict(float), collections.defaultdict(set)
    for i, s in enumerate(split):
        for p in zip(s, s[1:]):
            pairs[p] += freq[i]
            where[p].add(i)
    heap = [(-n, p) for p, n in pairs.items()]
    heapq.heapify(heap)
    merges, have = [], set(vocab)
    while len(vocab) < pieces and heap:
        n, p = heapq.heappop(heap)
        now = pairs.get(p, 0.0)
        if now <= 0:
            continue
        if -n > now * 1.0000001:
            heapq.heappush(heap, (-now, p))
            continue
        joined = p[0] + p[1]
        merges.append(list(p))
        if joined not in have:
            vocab.append(joined)
            have.add(joined)
        fresh = set()
        for i in where.pop(p, ()):
            s, f = split[i], freq[i]
            out, k = [], 0
            while k < len(s):
                if k + 1 < len(s) and s[k] == p[0] and s[k + 1] == p[1]:
                    out.append(joined)
                    k += 2
                else:
                    out.append(s[k])
                    k += 1
            if len(out) == len(s):
                continue
            for q in zip(s, s[1:]):
                pairs[q] -= f
            for q in zip(out, out[1:]):
                pairs[q] += f
                where[q].add(i)
                if joined in q:
                    fresh.add(q)
            split[i] = out
        pairs.pop(p, None)
        for q in fresh:
            heapq.heappush(heap, (-pairs[q], q))
        if len(merges) % 4000 == 0:
            print(len(merges), joined, round(now), flush=True)
    return vocab, merges


def save(path, vocab, merges, special):
    file = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": i, "content": t, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
            for i, t in enumerate(special)
        ],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": False},
                {"type": "Split", "pattern": {"Regex": WORDS}, "behavior": "Isolated", "invert": False},
            ],
        },
        "post_processor": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": SPACE}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0},
            ],
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": True,
            "ignore_merges": False,
            "vocab": {p: i for i, p in enumerate(vocab)},
            "merges": merges,
        },
    }
    with open(path, "w", encoding="utf8") as f:
        json.dump(file, f, ensure_ascii=False, separators=(",", ":"))


def main():
    a = argparse.ArgumentParser()
    a.add_argument("data")
    a.add_argument("out")
    a.add_argument("--pieces", type=int, default=28000)
    a.add_argument("--sample", type=int, default=100000)
    a = a.parse_args()
    settings = settings_of()
    special = tags(["en"] + sorted(settings["shares"]))
    base = special + [f"<0x{b:02X}>" for b in range(256)]
    vocab, merges = train(count(a.data, settings, a.sample), base, a.pieces)
    save(a.out, vocab, merges, special)
    print(len(vocab), "pieces", len(merges), "merges")


if __name__ == "__main__":
    main()
