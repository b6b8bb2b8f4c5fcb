"""What pages are written with, in one file.  usage: gather.py NAMES.json DICTIONARIES [PARALLEL] > data.json

Captions and other words of documents come from src/extraction/words; names from names.mjs; sentences from parallel text
(`xx.tsv.xz`: english TAB foreign TAB source) where there is some, else words of a spelling dictionary (npm's `dictionary-xx`) in any order.
"""
import glob
import json
import lzma
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = os.path.join(HERE, "../../src/extraction/words")
MOST_SENTENCES = 3000


def vocabulary():
    found = {}
    for path in glob.glob(os.path.join(WORDS, "*.txt")):
        meanings = found.setdefault(os.path.basename(path)[:-4], {})
        with open(path, encoding="utf8") as lines:
            for line in lines:
                parts = line.rstrip("\n").split("\t")
                if len(parts) == 3 and not line.startswith("#") and not parts[0].startswith("standard."):
                    meanings.setdefault(parts[0], []).append(parts[2])
    return found


def parallel(folder, r):
    text = {}
    for path in glob.glob(os.path.join(folder, "*.tsv.xz")):
        language = os.path.basename(path)[:2]
        with lzma.open(path, "rt", encoding="utf8") as lines:
            pairs = [line.split("\t")[:2] for _, line in zip(range(200_000), lines)]
        r.shuffle(pairs)
        for place, name in ((1, language), (0, "en")):
            kept = [pair[place] for pair in pairs if len(pair) > 1 and 12 < len(pair[place]) < 120]
            text.setdefault(name, []).extend(kept[:MOST_SENTENCES])
    return text


def spelled(folder, language, r):
    path = os.path.join(folder, f"dictionary-{ {'no': 'nb'}.get(language, language) }", "index.dic")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf8") as lines:
        words = [line.split("/")[0].strip() for line in lines][1:]
    words = [word for word in words if 1 < len(word) < 14 and word.isalpha()]
    made = [" ".join(r.choice(words) for _ in range(r.randint(2, 11))) for _ in range(MOST_SENTENCES)]
    return [(line[0].upper() + line[1:]) + r.choice([".", ".", "", ","]) for line in made]


def main():
    r = random.Random(1)
    names = json.load(open(sys.argv[1], encoding="utf8"))
    vocab = vocabulary()
    text = parallel(sys.argv[3], r) if len(sys.argv) > 3 else {}
    for language in vocab:
        if not text.get(language):
            text[language] = spelled(sys.argv[2], language, r) or [
                " ".join(r.choice([p for m in vocab[language].values() for p in m]).split()[0] for _ in range(6)) for _ in range(500)
            ]
    text = {language: text[language][:MOST_SENTENCES] for language in vocab}
    json.dump({"vocab": vocab, "names": names, "text": text}, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main()
