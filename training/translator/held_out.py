"""Everyday sentences that training and memory never see (held-out.txt, written by bench/translation/hold-out.ts): a pair is left out when
its English, or its other side, is one of them, whatever language and source the pair is from."""
import os
import re
import unicodedata
import zlib

_MARKS = re.compile(r"[.,!?;:\"«»“”„()¿¡।॥؟،؛۔…]")
_SPACES = re.compile(r"\s+")

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "held-out.txt"), encoding="ascii") as f:
    _HELD = {(lang, int(mark, 16)) for lang, mark in map(str.split, f)}


def key(sentence):
    """The words without capitals and marks; the same as `keyOf` in bench/translation/everyday-set.ts."""
    plain = unicodedata.normalize("NFKC", sentence).lower().replace("’", "'")
    return _SPACES.sub(" ", _MARKS.sub(" ", plain)).strip()


def held_out(sentence, lang):
    return (lang, zlib.crc32(key(sentence).encode())) in _HELD
