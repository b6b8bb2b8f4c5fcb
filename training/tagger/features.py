"""What the net is told of a word. `src/extraction/tag/features.ts` says the same; tests/fixtures hold pages that both must agree on."""
import json
import re
import sys
import unicodedata
import zlib

import numpy as np

from page import VOCAB

GRAMS, WORDS, SHAPES, MOST_GRAMS, NUMBERS = 16384, 16384, 1024, 20, 11
LONGEST_PHRASE = 6
#: One meaning for words that the net need not tell apart, and none for those that say nothing of a value.
MERGED = {f"month.{month}": "month" for month in range(1, 13)}
DROPPED = re.compile(r"^(kind\.|column_|billed\.|mark\.|name_lead|party_filler|code_lead|form_word)")


def fold(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))


def core(text):
    return re.sub(r"[0-9]", "0", fold(text)).strip(".,:;()[]#*-")


def hashed(text, size):
    """0 is for nothing."""
    return zlib.crc32(text.encode("utf8")) % (size - 1) + 1


def shape(text):
    kinds = "".join("0" if c in "0123456789" else "A" if c.isupper() else "a" if c.isalpha() else c for c in text)
    return re.sub(r"(.)\1{2,}", r"\1\1", kinds)


class Lexicon:
    def __init__(self, vocabulary=VOCAB):
        phrases, names = {}, set()
        for language in sorted(vocabulary):
            for meaning in sorted(vocabulary[language]):
                name = MERGED.get(meaning, meaning)
                if DROPPED.search(name):
                    continue
                names.add(name)
                for phrase in vocabulary[language][meaning]:
                    tokens = tuple(t for t in (core(word) for word in phrase.split()) if t)
                    if 0 < len(tokens) <= LONGEST_PHRASE:
                        counts = phrases.setdefault(tokens, {})
                        counts[name] = counts.get(name, 0) + 1
        #: 0 is for none.
        self.meanings = ["", *sorted(names)]
        index = {name: i for i, name in enumerate(self.meanings)}
        #: The two commonest meanings of a phrase.
        self.phrases = {
            tokens: tuple(index[n] for n, _ in sorted(counts.items(), key=lambda c: (-c[1], c[0]))[:2]) for tokens, counts in phrases.items()
        }
        self.longest = {}
        for tokens in self.phrases:
            self.longest[tokens[0]] = max(self.longest.get(tokens[0], 0), len(tokens))


LEXICON = Lexicon()
_kept = {}


def of_word(text):
    known = _kept.get(text)
    if known is None:
        middle = core(text)
        padded = "^" + middle[:24] + "$"
        grams = [hashed(padded[i : i + n], GRAMS) for n in (2, 3, 4) for i in range(len(padded) - n + 1)][:MOST_GRAMS]
        digits = sum(c in "0123456789" for c in text)
        numbers = (
            min(len(text), 20) / 20, digits / max(1, len(text)), float(text[-1:] == ":"), float(bool(re.search(r"\d[.,]\d\d$", text))),
            float(text[:1].isupper()), float(text.isupper()),
        )
        known = (grams + [0] * (MOST_GRAMS - len(grams)), hashed(middle, WORDS), hashed(shape(text), SHAPES), numbers, middle)
        if len(_kept) < 300_000:
            _kept[text] = known
    return known


def rows_of(boxes):
    """Words side by side, from top to bottom and left to right. Boxes are in widths of the page."""
    order = sorted(range(len(boxes)), key=lambda i: boxes[i][1] + boxes[i][3])
    rows, middle, height = [], 0.0, 0.0
    for i in order:
        at, high = (boxes[i][1] + boxes[i][3]) / 2, boxes[i][3] - boxes[i][1]
        if rows and at - middle < 0.5 * min(high, height):
            rows[-1].append(i)
            middle += (at - middle) / len(rows[-1])
            height = min(height, high)
        else:
            rows.append([i])
            middle, height = at, high
    for row in rows:
        row.sort(key=lambda i: boxes[i][0])
    return rows


def meanings_of(cores, boxes, lexicon=LEXICON):
    """For each word two meanings of the phrase it is part of, that of the nearest phrase left of it, and of the nearest above."""
    found = np.zeros((len(cores), 4), np.int32)
    above = []
    for row in rows_of(boxes):
        spans, left, i = [], 0, 0
        while i < len(row):
            first, length = row[i], 0
            longest = lexicon.longest.get(cores[first], 0)
            tokens, j = [], i
            while j < len(row) and len(tokens) < longest:
                if j > i and boxes[row[j]][0] - boxes[row[j - 1]][2] > 1.2 * (boxes[first][3] - boxes[first][1]):
                    break
                if cores[row[j]]:
                    tokens.append(cores[row[j]])
                if tuple(tokens) in lexicon.phrases:
                    length, known = j - i + 1, lexicon.phrases[tuple(tokens)]
                j += 1
            members = row[i : i + max(1, length)]
            for member in members:
                found[member, 2] = left
                if length:
                    found[member, : len(known)] = known
                box = boxes[member]
                for span in reversed(above):
                    if box[1] - span[2] > 8 * (box[3] - box[1]):
                        break
                    if span[0] < box[2] and box[0] < span[1] and span[2] <= box[1] + 0.5 * (box[3] - box[1]):
                        found[member, 3] = span[3]
                        break
            if length:
                left = known[0]
                spans.append((boxes[first][0], boxes[members[-1]][2], max(boxes[m][3] for m in members), left))
            i += max(1, length)
        above = (above + spans)[-80:]
    return found


def arrays(texts, boxes, bold, certainty):
    """The net's inputs. `boxes` are in widths of the page."""
    known = [of_word(text) for text in texts]
    boxes = np.array(boxes, np.float32)
    heights = boxes[:, 3] - boxes[:, 1]
    usual = max(float(np.median(heights)), 1e-4)
    numbers = np.zeros((len(texts), NUMBERS), np.float32)
    numbers[:, :6] = [k[3] for k in known]
    numbers[:, 6] = np.clip(heights / usual, 0, 4) / 4
    numbers[:, 7], numbers[:, 8] = bold, certainty
    numbers[:, 9], numbers[:, 10] = usual * 40, boxes[:, 3].max()
    meanings = meanings_of([k[4] for k in known], boxes.tolist())
    return (
        np.array([k[0] for k in known], np.int32), np.array([k[1] for k in known], np.int32), np.array([k[2] for k in known], np.int32),
        meanings, numbers, boxes,
    )


if __name__ == "__main__":
    json.dump({"meanings": LEXICON.meanings}, sys.stdout, ensure_ascii=False)
