"""Text in and out of the translator: normalising, one block for the scripts of India, and byte-pair encoding.

Only the standard library is used here, so that the same code runs while preparing data and while scoring.
"""
import json
import re
import unicodedata

PAD, BOS, EOS, UNK = 0, 1, 2, 3

# First code point of each Indic block. The blocks share one layout, so a letter is moved by a fixed distance to its
# Devanagari cousin on the way in and back on the way out; Hindi and Marathi are in Devanagari already.
BLOCK = {"bn": 0x0980, "pa": 0x0A00, "gu": 0x0A80, "ta": 0x0B80, "te": 0x0C00, "kn": 0x0C80, "ml": 0x0D00}
DEVANAGARI = 0x0900
DANDAS = (0x0964, 0x0965)

_SPACES = re.compile(r"\s+")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0e-\x1f\x7f]")


def normalise(text):
    return _SPACES.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))).strip()


_FOLD = {lang: {start + i: DEVANAGARI + i for i in range(128)} for lang, start in BLOCK.items()}
_UNFOLD = {
    lang: {DEVANAGARI + i: start + i for i in range(128) if DEVANAGARI + i not in DANDAS} for lang, start in BLOCK.items()
}


def inward(text, lang):
    """Normalised text with the letters of an Indic script moved to the Devanagari block."""
    text = normalise(text)
    return text.translate(_FOLD[lang]) if lang in _FOLD else text


def outward(text, lang):
    """The reverse of `inward`, for text that the model wrote in `lang`."""
    text = text.translate(_UNFOLD[lang]) if lang in _UNFOLD else text
    return unicodedata.normalize("NFC", text)


_SPOKEN = re.compile(r"[.,!?;:\"«»“”„()¿¡।॥؟،؛۔…]")


def as_spoken(text):
    """The same words as a speech recogniser may write them: no capitals, no punctuation."""
    return _SPACES.sub(" ", _SPOKEN.sub(" ", text).lower()).strip()


# Pieces never cross these borders: a digit, a mark of punctuation, or a run of letters, each with the space before it;
# an apostrophe stays with the letters before it when letters follow (l'homme is l' and homme). The pattern is plain enough
# to mean the same in Python, JavaScript and Rust.
SPACE = "\u2581"
_DIGIT = "0-9\u0660-\u0669\u06f0-\u06f9\u0966-\u096f"
_MARK = (
    "!-/:-@\\[-`{-~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u066a-\u066d\u06d4"
    "\u0964\u0965\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2bff\u3001-\u303f\ufffd\U0001f000-\U0001faff"
)
_LETTER = f"[^{SPACE}{_DIGIT}{_MARK}]"
WORDS = f"{SPACE}?{_LETTER}+['\u2019](?={_LETTER})|{SPACE}?{_LETTER}+|{SPACE}?[{_DIGIT}]|{SPACE}?[{_MARK}]|{SPACE}"
_WORDS = re.compile(WORDS)


def words(text):
    return _WORDS.findall(SPACE + text.replace(" ", SPACE)) if text else []


class Tokenizer:
    """Byte-pair encoding as described by a `tokenizer.json` in the common format."""

    def __init__(self, path):
        with open(path, encoding="utf8") as f:
            self.file = json.load(f)
        self.ids = self.file["model"]["vocab"]
        self.pieces = [piece for piece, _ in sorted(self.ids.items(), key=lambda kv: kv[1])]
        self.rank = {tuple(m): i for i, m in enumerate(self.file["model"]["merges"])}
        self.special = {t["id"] for t in self.file["added_tokens"]}
        self.cache = {}

    def __len__(self):
        return len(self.pieces)

    def tag(self, name):
        return self.ids[name]

    def word(self, word):
        got = self.cache.get(word)
        if got is not None:
            return got
        parts, rank = list(word), self.rank
        while len(parts) > 1:
            best, at = None, -1
            for i in range(len(parts) - 1):
                r = rank.get((parts[i], parts[i + 1]))
                if r is not None and (best is None or r < best):
                    best, at = r, i
            if best is None:
                break
            pair = (parts[at], parts[at + 1])
            joined, i = [], 0
            while i < len(parts):
                if i + 1 < len(parts) and parts[i] == pair[0] and parts[i + 1] == pair[1]:
                    joined.append(parts[i] + parts[i + 1])
                    i += 2
                else:
                    joined.append(parts[i])
                    i += 1
            parts = joined
        out = []
        for p in parts:
            i = self.ids.get(p)
            out.extend([i] if i is not None else [self.ids[f"<0x{b:02X}>"] for b in p.encode("utf8")])
        if len(self.cache) < 3_000_000:
            self.cache[word] = out
        return out

    def encode(self, text):
        out = []
        for w in words(text):
            out.extend(self.word(w))
        return out

    def decode(self, ids):
        out = bytearray()
        for i in ids:
            if i in self.special or i >= len(self.pieces):
                continue
            p = self.pieces[i]
            if len(p) == 6 and p.startswith("<0x"):
                out.append(int(p[3:5], 16))
            else:
                out += p.encode("utf8")
        return out.decode("utf8", "replace").replace(SPACE, " ").strip()
