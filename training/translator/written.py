"""Pairs that were written for the training: sentences (written/XX.tsv, english TAB foreign), and patterns of times, days and quantities whose
slots are filled at random (written/patterns.tsv and slots.tsv, one column a language; an empty cell leaves the language out).

usage: written.py XX [MOST]   prints pairs of a language
"""
import csv
import os
import random
import re
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "written")
MOST = 6000  # filled patterns of a language; the patterns with two slots for times alone can be filled in 300,000 ways
SLOT = re.compile(r"\{(\w+)\}")
CLOCK = {"fr": "{}h{:02}"}  # elsewhere 9:05


def rows(lang):
    """(english, foreign, source) as in DATA/XX.tsv.xz."""
    return [(*pair, "written") for pair in sentences(lang)] + [(*pair, "patterns") for pair in filled(lang)]


def sentences(lang):
    path = os.path.join(FOLDER, f"{lang}.tsv")
    return [tuple(r) for r in table(path)] if os.path.exists(path) else []


def filled(lang, most=MOST):
    """Each draw fills the slots of both sides with the same rows, from left to right of the English; a pair is given once."""
    slots, rng, found = {}, random.Random(lang), {}
    for r in named("slots.tsv"):
        if r[lang]:
            slots.setdefault(r["slot"], []).append((r["en"], r[lang]))
    patterns = [(r["en"], r[lang]) for r in named("patterns.tsv") if r[lang]]
    for _ in range(most):
        pair = rng.choice(patterns)
        while SLOT.search(pair[0]):
            pair = fill(pair, slots, lang, rng)
        found[tuple(capital(side) for side in pair)] = None
    return list(found)


def fill(pair, slots, lang, rng):
    name = SLOT.search(pair[0]).group(1)
    if name == "clock":
        # Not one o'clock, which takes another article in the Romance languages.
        time = rng.choice([0] + list(range(6, 13)) * 3 + list(range(14, 24))), rng.choice([0, 0, 0, 15, 30, 30, 45, 5 * rng.randrange(12)])
        value = "{}:{:02}".format(*time), CLOCK.get(lang, "{}:{:02}").format(*time)
    elif name == "day":
        value = (str(rng.randint(2, 28)),) * 2
    else:
        value = rng.choice(slots[name])
    mark = "{" + name + "}"
    return tuple(side.replace(mark, part, 1) for side, part in zip(pair, value))


def capital(sentence):
    return sentence[:1].upper() + sentence[1:]


def named(file):
    with open(os.path.join(FOLDER, file), encoding="utf8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def table(path):
    with open(path, encoding="utf8", newline="") as f:
        return list(csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    for row in rows(sys.argv[1])[: int(sys.argv[2]) if len(sys.argv) > 2 else None]:
        print("\t".join(row))
