"""Word lists by language, a tab and a word a line.  usage: words.py FOLDER OUT.txt.gz

FOLDER holds parallel text as training/translator uses it (de.tsv.xz ...: English, a tab, the other language); the lists of the other
languages come from Debian's packages wpolish, wswedish, wdanish, wnorwegian, wcatalan and hunspell-XX.
"""
import collections
import glob
import gzip
import lzma
import os
import random
import re
import sys

MARKS = ".,;:!?()[]\"'«»„“”…-–—*/"
LISTS = {"pl": "polish", "sv": "swedish", "da": "danish", "no": "norsk", "ca": "catalan"}


def frequent(folder, language, lines=120_000):
    own, english = collections.Counter(), collections.Counter()
    with lzma.open(os.path.join(folder, f"{language}.tsv.xz"), "rt", encoding="utf8") as file:
        for _, line in zip(range(lines), file):
            left, right = line.rstrip("\n").split("\t")[:2]
            own.update(word.strip(MARKS) for word in right.split())
            english.update(word.strip(MARKS) for word in left.split())
    return own, english


def read_list(path):
    raw = open(path, "rb").read()
    for encoding in ("utf8", "latin1"):
        try:
            return raw.decode(encoding).split()
        except UnicodeDecodeError:
            pass


def read_hunspell(path):
    encoding = re.search(rb"SET\s+(\S+)", open(path[:-3] + "aff", "rb").read()).group(1).decode()
    return [line.split("/")[0].split("\t")[0].strip() for line in open(path, encoding=encoding, errors="ignore")][1:]


def sample(words, count):
    return random.sample(words, min(count, len(words)))


def main():
    folder, out = sys.argv[1:]
    random.seed(1)
    lists, english = {}, collections.Counter()
    for language in ("de", "fr", "es", "it", "nl", "pt"):
        own, in_english = frequent(folder, language)
        lists[language] = sample([word for word, _ in own.most_common(14_000)], 9_000)
        english += in_english
    lists["en"] = [word for word, _ in english.most_common(16_000)]
    for language, name in LISTS.items():
        lists[language] = sample(read_list(f"/usr/share/dict/{name}"), 6_000)
    for path in sorted(glob.glob("/usr/share/hunspell/*.dic")):
        lists[os.path.basename(path)[:2]] = sample([word for word in read_hunspell(path) if word], 6_000)
    with gzip.open(out, "wt", encoding="utf8") as file:
        for language, words in lists.items():
            file.writelines(f"{language}\t{w}\n" for w in words if 1 < len(w) < 18 and re.match(r"^[^\W\d_][\w'’.&-]*$", w) and not re.search(r"[_\d]", w))


if __name__ == "__main__":
    main()
