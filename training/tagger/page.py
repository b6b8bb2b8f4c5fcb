"""A page that is being written: words with boxes, what each of them is, and what it belongs to.

Lengths are thousandths of the page's width. A grammar gets a random generator and makes a `Page`:

    page = Page(r)                          # language, print, number format and habits of captions are drawn here
    ink = page.put(60, 80, "Acme Ltd", "seller_name", size=24, bold=True)
    page.pair(60, ink.bottom + 20, page.caption("invoice_number"), "RE-123", "number", style="beside", gap=140)
    page.kind = "invoice"

`tag` is one of tags.ENTITIES or None. `row` (any number) joins what belongs to one item or movement; `under` is the Ink of the caption or
column heading that names what is written. Both are learned as links, so give them wherever they exist.
"""
import json
import os
import random
from dataclasses import dataclass

DATA = json.load(open(os.environ.get("TAGGER_DATA", os.path.join(os.path.dirname(os.path.abspath(__file__)), "data.json")), encoding="utf8"))
VOCAB, NAMES, TEXT = DATA["vocab"], DATA["names"], DATA["text"]

#: How often each language is drawn.
LANGUAGES = {
    "en": 10, "de": 5, "fr": 4, "es": 4, "it": 3, "nl": 3, "pt": 3, "pl": 2.5, "sv": 2, "da": 2, "no": 2, "fi": 2, "cs": 2, "hu": 2,
    "ro": 2, "tr": 2, "id": 1.2, "vi": 0.7, "ru": 1, "el": 1, "bg": 0.6, "uk": 0.6, "sk": 1, "sl": 0.8, "hr": 0.8, "lt": 0.6, "lv": 0.6,
    "et": 0.6, "ca": 0.6,
}
#: Whose names serve a language that has none of its own.
NEIGHBOURS = {"ca": "es", "sl": "hr", "bg": "ru", "et": "fi", "lt": "lv"}
CURRENCIES = {
    "en": ["$", "£", "€", "USD", "GBP", "EUR", "A$", "Rs.", "₹", "R", "CAD", "AUD", "$", "£", "S$", "NZ$", "AED", "RM", "KES"],
    "de": ["€", "EUR", "CHF", "€"], "fr": ["€", "EUR", "CHF", "€", "CAD"], "es": ["€", "EUR", "$", "MXN", "€", "S/", "COP"],
    "pt": ["R$", "€", "EUR", "R$"], "pl": ["zł", "PLN", "zł"], "sv": ["kr", "SEK", "kr"], "da": ["kr", "DKK", "kr."], "no": ["kr", "NOK"],
    "cs": ["Kč", "CZK"], "hu": ["Ft", "HUF"], "ro": ["lei", "RON", "Lei"], "tr": ["TL", "₺", "TRY"], "id": ["Rp", "IDR", "RM"],
    "vi": ["VND", "đ"], "ru": ["руб.", "₽", "RUB"], "uk": ["грн", "UAH", "₴"], "bg": ["лв.", "BGN"],
}
WHOLE_AMOUNTS = {"Ft", "HUF", "VND", "đ", "Rp", "IDR", "COP"}
COMMA = {"de", "es", "it", "nl", "pt", "tr", "da", "id", "ro", "el", "hr", "sl", "vi", "ca"}


class Random(random.Random):
    def p(self, chance):
        return self.random() < chance

    def fill(self, pattern):
        """# is a digit, @ a capital letter."""
        return "".join(
            str(self.randint(0, 9)) if c == "#" else self.choice("ABCDEFGHJKLMNPRSTUVWXYZ") if c == "@" else c for c in pattern
        )


@dataclass
class Ink:
    """Where something was written, and which words it is."""

    left: float
    top: float
    right: float
    bottom: float
    first: int
    last: int


class Word:
    __slots__ = ("text", "left", "top", "right", "bottom", "bold", "tag", "row", "under")

    def __init__(self, text, left, top, right, bottom, bold, tag, row, under):
        self.text, self.left, self.top, self.right, self.bottom = text, left, top, right, bottom
        self.bold, self.tag, self.row, self.under = bold, tag, row, under


def cased(style, text):
    return {1: text.upper(), 2: text.title(), 0: text[:1].upper() + text[1:]}.get(style, text)


class Page:
    def __init__(self, r, height=1414, language=None, size=None):
        self.r, self.width, self.height = r, 1000, height
        self.words = []
        self.kind = "document"
        self.is_first = True
        self.language = language or r.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
        self.names = NAMES.get(self.language) or NAMES[NEIGHBOURS.get(self.language, "en")]
        self.letter = r.uniform(0.44, 0.60)
        self.size = size or r.uniform(12, 21)
        self.leading = r.uniform(1.12, 1.65)
        self.case = r.choice([0, 0, 1, 2, 3, 0])
        self.colon = r.choice(["", ":", ":", " :", ":", "."])
        # A page of a maker nobody has seen: its captions are words that no list has, or are missing.
        self.unknown = r.choice([0, 0, 0, 0.08, 0.3, 0.7])
        self._currency()
        self.date_style = r.randint(0, 11)

    def _currency(self):
        r = self.r
        self.currency = r.choice(CURRENCIES.get(self.language, ["€", "EUR", "EUR", "€"]))
        self.currency_place = r.choice(["none", "none", "before", "after", "before_space", "after", "none"])
        if self.language == "en":
            self.currency_place = r.choice(["none", "before", "before", "before_space", "after"])
        if self.language == "en" or r.p(0.08):
            self.decimal, self.thousands = ".", r.choice([",", ",", "", ","])
        elif self.language in COMMA:
            self.decimal, self.thousands = ",", r.choice([".", "", ".", " "])
        else:
            self.decimal, self.thousands = ",", r.choice([" ", "", ".", " "])
        if self.language in ("de", "fr") and r.p(0.1):
            self.decimal, self.thousands = ".", "'"
        self.decimals = 0 if self.currency in WHOLE_AMOUNTS and r.p(0.7) else 2
        self.scale = 1000 if self.currency in WHOLE_AMOUNTS else 1

    # --- words ---

    def phrase(self, meaning, fallback=None):
        """A word for a meaning in the page's language, now and then in English."""
        r, own, english = self.r, VOCAB[self.language].get(meaning), VOCAB["en"].get(meaning)
        if own and not r.p(0.04):
            return r.choice(own)
        return r.choice(english or own or [fallback or meaning])

    def sentence(self, longest=120):
        text = self.r.choice(TEXT[self.language])
        if len(text) <= longest:
            return text
        return text[:longest].rsplit(" ", 1)[0]

    def invented(self):
        """A caption that nobody knows."""
        r = self.r
        if r.p(0.5):
            words = self.sentence(60).strip(".,?!\"").split(" ")
            return " ".join(words[: r.randint(1, 3)])
        return "".join(r.choice(["ka", "ro", "ti", "ne", "lu", "so", "vi", "ma", "del", "tra", "nor", "pex", "zen", "al", "ber"]) for _ in range(r.randint(2, 4)))

    def caption(self, meaning, fallback=None):
        r = self.r
        text = self.invented() if r.p(self.unknown) else self.phrase(meaning, fallback)
        text = cased(self.case, text)
        if r.p(0.04):
            text += " / " + r.choice(VOCAB["en"].get(meaning) or [text])
        return text

    # --- numbers and days ---

    def plain(self, value, decimals=None):
        decimals = self.decimals if decimals is None else decimals
        text = f"{abs(value):,.{decimals}f}".replace(",", "\0").replace(".", self.decimal).replace("\0", self.thousands)
        return "-" + text if value < 0 else text

    def money(self, value, place=None):
        text, place = self.plain(value), place or self.currency_place
        if place == "before":
            return self.currency + text
        if place == "before_space":
            return f"{self.currency} {text}"
        return f"{text} {self.currency}" if place == "after" else text

    def date(self, day=None, style=None):
        r = self.r
        year, month, day_of = day or (r.randint(2009, 2027), r.randint(1, 12), r.randint(1, 28))
        style = self.date_style if style is None else style
        name = cased(0, r.choice(VOCAB[self.language].get(f"month.{month}") or VOCAB["en"][f"month.{month}"]))
        short, d, m = f"{year % 100:02d}", f"{day_of:02d}", f"{month:02d}"
        return [
            f"{d}.{m}.{year}", f"{d}/{m}/{year}", f"{year}-{m}-{d}", f"{month}/{day_of}/{year}", f"{day_of} {name} {year}",
            f"{name} {day_of}, {year}", f"{day_of}-{m}-{year}", f"{d}.{m}.{short}", f"{d}/{m}/{short}", f"{day_of}. {name} {year}",
            f"{day_of}-{name[:3]}-{year}", f"{year}/{m}/{d}",
        ][style]

    # --- ink ---

    def wide(self, text, size=None, bold=False):
        size = size or self.size
        units = sum(0.55 if c in "il.,:;'|1!" else 1.25 if c in "MWmw@%" else 1 for c in text)
        return max(0.35, units) * self.letter * (1.06 if bold else 1) * size

    def put(self, x, y, text, tag=None, *, size=None, bold=False, align="l", width=None, row=None, under=None, goes_on=False):
        """Writes words from x (or up to it: "r"; around it: "c"), wrapped at `width`. `goes_on`: the entity began earlier."""
        size = size or self.size
        space = size * 0.30
        lines, used = [[]], 0
        for word in text.split():
            wide = self.wide(word, size, bold)
            if width and lines[-1] and used + wide > width:
                lines.append([])
                used = 0
            lines[-1].append((word, wide))
            used += wide + space
        first, begun, top, left, right = len(self.words), goes_on, y, x, x
        target = under.first if under is not None and under.last > under.first else None
        for line in lines:
            total = sum(wide for _, wide in line) + space * (len(line) - 1)
            at = x if align == "l" else x - total if align == "r" else x - total / 2
            left = min(left, at)
            for word, wide in line:
                mark = "O" if not tag else ("I-" if begun else "B-") + tag
                begun = begun or bool(tag)
                self.words.append(Word(word, at, top, at + wide, top + size, bold, mark, row, target))
                at += wide + space
            right = max(right, at - space)
            top += size * self.leading
        return Ink(left, y, right, top, first, len(self.words))

    def line(self, x, y, parts, *, gap=0.3, align="l", **style):
        """Several parts, each (text, tag), on one line."""
        if align != "l":
            total = sum(sum(self.wide(w, style.get("size"), style.get("bold", False)) for w in t.split()) + (len(t.split()) - 1) * (style.get("size") or self.size) * 0.3 for t, _ in parts if t)
            total += (style.get("size") or self.size) * gap * (len(parts) - 1)
            x = x - total if align == "r" else x - total / 2
        size, start, first, bottom = style.get("size") or self.size, x, len(self.words), y
        for text, tag in parts:
            if text:
                ink = self.put(x, y, text, tag, **style)
                x, bottom = ink.right + size * gap, max(bottom, ink.bottom)
        return Ink(start, y, x, bottom, first, len(self.words))

    def block(self, x, y, lines, tag, **style):
        """One entity over several lines."""
        first, top, right, left = len(self.words), y, x, x
        for index, text in enumerate(lines):
            ink = self.put(x, y, text, tag, goes_on=index > 0, **style)
            y, right, left = ink.bottom, max(right, ink.right), min(left, ink.left)
        return Ink(left, top, right, y, first, len(self.words))

    def pair(self, x, y, caption, value, tag, *, style="inline", gap=160, width=None, size=None, bold=False, caption_tag="caption", value_bold=False, row=None):
        """A caption and what it names: inline, beside (values aligned at x + gap), right (values end at x + gap), under or above."""
        size, colon = size or self.size, self.colon
        if style == "inline" and not colon.strip():
            colon = ":" if self.r.p(0.6) else ""
        name = self.put(x, y, caption + colon, caption_tag, size=size, bold=bold, width=gap * 0.95 if style == "beside" else width, row=row) if caption else Ink(x, y, x, y, 0, 0)
        lines = value if isinstance(value, list) else [value]
        common = {"size": size, "row": row, "under": name, "bold": value_bold}
        if style == "under":
            ink = self.block(x, name.bottom, lines, tag, width=width, **common)
        elif style == "above":
            raise ValueError("write the value first, then its caption")
        elif style == "right":
            ink = self.block(x + gap, y, lines, tag, align="r", **common)
        else:
            at = x + gap if style == "beside" else name.right + (size * 0.35 if caption else 0)
            ink = self.block(at, y, lines, tag, width=max(80, width - (at - x)) if width else None, **common)
        return Ink(x, y, max(name.right, ink.right), max(name.bottom, ink.bottom), min(name.first, ink.first) if caption else ink.first, len(self.words))

    def settle(self):
        """The page is as long as what is on it."""
        self.height = max(self.height, max((word.bottom for word in self.words), default=1) + 20)
        return self
