"""A page and what features.py makes of it, for the test of the TypeScript that must say the same.

usage: TAGGER_DATA=data.json fixture.py > ../../src/extraction/tag/page-features.fixture.json
"""
import json
import sys

import features

VOCABULARY = {
    "en": {"invoice_number": ["Invoice No.", "Bill number"], "grand_total": ["Total", "Total amount due"], "amount_due": ["Total amount due"], "month.3": ["March"]},
    "fr": {"issue_date": ["Date de facturation"], "column.total": ["Total"]},
}
WORDS = [
    ("Café", 0.1, 0.05, 0.2, 0.08, 1, 1.0), ("Nördlich", 0.21, 0.05, 0.3, 0.08, 1, 1.0), ("GmbH,", 0.31, 0.05, 0.36, 0.08, 1, 1.0),
    ("Invoice", 0.6, 0.051, 0.68, 0.071, 0, 1.0), ("No.:", 0.69, 0.052, 0.73, 0.072, 0, 1.0), ("RE-2024/0117", 0.75, 0.05, 0.88, 0.07, 0, 1.0),
    ("Date", 0.6, 0.1, 0.64, 0.12, 0, 0.93), ("de", 0.65, 0.1, 0.67, 0.12, 0, 0.93), ("facturation", 0.68, 0.1, 0.76, 0.12, 0, 0.93),
    ("3", 0.6, 0.13, 0.61, 0.15, 0, 0.9), ("March", 0.62, 0.13, 0.68, 0.15, 0, 0.9), ("2024", 0.69, 0.13, 0.74, 0.15, 0, 0.9),
    ("Total", 0.5, 0.5, 0.55, 0.52, 0, 1.0), ("amount", 0.56, 0.5, 0.62, 0.52, 0, 1.0), ("due", 0.63, 0.5, 0.66, 0.52, 0, 1.0),
    ("1.190,00", 0.8, 0.503, 0.88, 0.523, 1, 1.0), ("€", 0.89, 0.503, 0.9, 0.523, 1, 1.0), ("ΣΎΝΟΛΟ", 0.5, 0.55, 0.6, 0.57, 0, 1.0), ("ŁÓDŹ---", 0.1, 0.55, 0.2, 0.57, 0, 1.0),
]


def main():
    lexicon = features.Lexicon(VOCABULARY)
    boxes = [list(word[1:5]) for word in WORDS]
    features.LEXICON = lexicon
    features.meanings_of.__defaults__ = (lexicon,)
    grams, words, shapes, meanings, numbers, _ = features.arrays([w[0] for w in WORDS], boxes, [w[5] for w in WORDS], [w[6] for w in WORDS])
    made = {
        "made_by": "training/tagger/fixture.py",
        "vocabulary": [{"meaning": m, "phrase": p} for l in VOCABULARY for m in VOCABULARY[l] for p in VOCABULARY[l][m]],
        "meanings": lexicon.meanings,
        "words": [{"text": w[0], "box": list(w[1:5]), "isBold": bool(w[5]), "certainty": w[6]} for w in WORDS],
        "inputs": {"grams": grams.flatten().tolist(), "words": words.tolist(), "shapes": shapes.tolist(), "meanings": meanings.flatten().tolist(),
                   "numbers": [round(float(v), 5) for v in numbers.flatten()]},
    }
    json.dump(made, sys.stdout, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
