"""Puts the written conversations and the made ones together as they are trained on: some begin with instructions of the kinds that
callers send, some exchanges follow each other in one conversation. Every thirtieth written one is kept out, to judge by.
Usage: python3 mix.py > mixed.jsonl (facts.jsonl, pairs.jsonl and plain.txt beside it)"""

import json
import random
import sys
from pathlib import Path

random.seed(5)
CALL = (
    "You are a friendly, helpful assistant on a phone call. Answer in one to three short, plain sentences, the way people "
    "speak. No lists, no markup, no emoji. If you do not know, say so."
)
COMMON = [
    "You are a helpful assistant.",
    "You are a helpful, friendly assistant.",
    "You are a friendly assistant who gives short answers.",
    "Answer briefly.",
    "Be brief and clear.",
    "You are a voice assistant. Keep answers short.",
    CALL, CALL, CALL,
]  # fmt: skip


def read(name: str) -> list[dict]:
    return [json.loads(line) for line in Path(__file__).with_name(name).read_text().splitlines()]


written, made, pairs = read("conversations.jsonl"), read("facts.jsonl"), read("pairs.jsonl")
out = []
for index, one in enumerate(written):
    if index % 30 == 7:
        out.append({"kind": "held", "s": one.get("s"), "m": one["m"]})
        continue
    for _ in range(2):
        system = one.get("s")
        if system is None and random.random() < 0.4:
            system = random.choice(COMMON)
        elif system is not None and random.random() < 0.25:
            system = f"{CALL}\n{system}"
        out.append({"kind": "talk", "s": system, "m": one["m"]})
singles = [one["m"] for one in made * 2 + pairs]
greetings = [one["m"] for one in written if "s" not in one and len(one["m"]) == 2 and len(one["m"][0]) < 40]
random.shuffle(singles)
while singles:
    count = random.choice([1, 1, 1, 2, 3, 4])
    turns = [singles.pop() for _ in range(min(count, len(singles)))]
    if random.random() < 0.3:
        turns.insert(0, random.choice(greetings))
    if random.random() < 0.2:
        turns.append(random.choice(greetings))
    system = random.choice(COMMON) if random.random() < 0.4 else None
    out.append({"kind": "fact", "s": system, "m": [text for turn in turns for text in turn]})
for line in Path(__file__).with_name("plain.txt").read_text().splitlines():
    out.append({"kind": "plain", "text": line})
random.shuffle(out)
for one in out:
    print(json.dumps(one))
print(f"{len(out)} conversations", file=sys.stderr)
