"""Short sentences of Tatoeba: "How do you say ... in Spanish?" with its translation, and plain English sentences that keep the model's
language whole. Usage: python3 pairs.py FOLDER > pairs.jsonl 2> plain.txt (FOLDER/XX.tsv.xz: english TAB foreign TAB source)"""

import json
import lzma
import random
import sys
from collections import defaultdict
from pathlib import Path

from facts import held_out, plain

random.seed(7)
LANGUAGES = {"es": "Spanish", "fr": "French", "de": "German", "it": "Italian", "pt": "Portuguese", "nl": "Dutch"}
PAIRS_EACH = 350
SENTENCES = 14_400
SENTENCES_TOGETHER = 12
INTO = [
    'How do you say "{english}" in {language}?',
    "Translate into {language}: {english}",
    'What is "{english}" in {language}?',
    "Say this in {language}: {english}",
]
BACK = ['What does "{foreign}" mean in English?', "Translate into English: {foreign}", 'What does the {language} sentence "{foreign}" mean?']

folder = Path(sys.argv[1])
unwanted = held_out()
sentences = set()
for code, language in LANGUAGES.items():
    meanings = defaultdict(list)
    with lzma.open(folder / f"{code}.tsv.xz", "rt") as file:
        for line in file:
            english, foreign, source = line.rstrip("\n").split("\t")
            if source != "tatoeba":
                continue
            if '"' not in english and len(english) > 15:
                sentences.add(english)
            if len(english.split()) <= 6 and len(english) > 4 and '"' not in english + foreign:
                meanings[english].append(foreign)
    # A sentence that several people translated is one that people need.
    common = sorted(meanings, key=lambda one: (-len(meanings[one]), len(one), one))[: PAIRS_EACH * 4]
    for english in random.sample(common, PAIRS_EACH):
        foreign = meanings[english][0]
        name = {"english": english, "foreign": foreign, "language": language}
        if random.random() < 0.65:
            question, answer = random.choice(INTO).format(**name), foreign
        else:
            question, answer = random.choice(BACK).format(**name), english
        if plain(question) not in unwanted:
            print(json.dumps({"m": [question, answer]}, ensure_ascii=False))
chosen = random.sample(sorted(sentences), SENTENCES)
for start in range(0, SENTENCES, SENTENCES_TOGETHER):
    print(" ".join(chosen[start : start + SENTENCES_TOGETHER]), file=sys.stderr)
