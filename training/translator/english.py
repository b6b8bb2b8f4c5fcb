"""Gathers English sentences to be translated back (see synthesize.py).  usage: english.py DATA OUT.txt.xz [FILE ...]

From DATA come the English sides of the sources that settings.json names under `english`, what people say and prose, whatever language they
are paired with; each FILE holds plain text or, where its name ends in .json, strings at any depth. Text is cut into sentences; each is written once.
"""
import json
import lzma
import os
import re
import sys
import zlib

from held_out import held_out
from sources import settings_of
from text import normalise

_SENTENCE = re.compile(r"(?<=[a-z0-9)\"'][.!?])\s+(?=[A-Z\"'])")
_PROSE = re.compile(r"[A-Z\"'(0-9].*[a-z].*[.!?][\"')]*")
SHORTEST, LONGEST = 6, 55  # words; what people say may be shorter


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for v in value.values():
            yield from strings(v)
    elif isinstance(value, list):
        for v in value:
            yield from strings(v)


def paired(data, sources):
    for name in sorted(os.listdir(data)):
        if not name.endswith(".tsv.xz"):
            continue
        with lzma.open(os.path.join(data, name), "rt", encoding="utf8") as f:
            for line in f:
                parts = line.rstrip("\n").split("\t")
                if len(parts) == 3 and parts[2] in sources:
                    yield parts[0]


def texts(paths):
    for path in paths:
        with open(path, encoding="utf8", errors="replace") as f:
            if path.endswith(".json"):
                yield from strings(json.load(f))
            else:
                yield from re.split(r"\n\s*\n", f.read())


def sentences(chunks, shortest=SHORTEST):
    for chunk in chunks:
        for sentence in _SENTENCE.split(normalise(chunk)):
            if shortest <= sentence.count(" ") + 1 <= LONGEST and _PROSE.fullmatch(sentence) and not held_out(sentence, "en"):
                yield sentence


def some(found, most):
    """At most so many of them, always the same ones."""
    return sorted(found, key=lambda sentence: zlib.crc32(sentence.encode()))[:most]


def main():
    data, out, *files = sys.argv[1:]
    found = {}
    for kind in settings_of()["english"]:
        sides = sentences(paired(data, set(kind["sources"])), kind["shortest"])
        found.update(dict.fromkeys(some(dict.fromkeys(sides), kind["most"])))
    own = len(found)
    found.update(dict.fromkeys(sentences(texts(files))))
    with lzma.open(out, "wt", encoding="utf8") as f:
        f.writelines(f"{s}\n" for s in found)
    print(f"{len(found)} sentences, {own} of them from {data}")


if __name__ == "__main__":
    main()
