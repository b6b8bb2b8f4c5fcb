"""A line of text as ink, 64 rows high, cut as a detector of lines cuts it; as print, as a till prints it, or in dots."""
import os
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFont

ROWS = 64
WIDEST = 1280  # at 64 rows; 960 when shown with 48
_natural = {"spleen-6x12": 12, "spleen-8x16": 16, "spleen-12x24": 24, "spleen-16x32": 32, "ProggyTiny": 16, "TerminusTTF": 16}


class Face:
    """One font: `cell` is the height in pixels for which its letters were drawn, 0 when they are outlines."""

    def __init__(self, path):
        name = os.path.basename(path).rsplit(".", 1)[0]
        self.path, self.name = path, name
        self.cell = next((rows for key, rows in _natural.items() if name.startswith(key)), 16 if name.startswith("Px_") else 0)
        self.fonts = {}
        self.known = {}

    def at(self, size):
        if size not in self.fonts:
            self.fonts[size] = ImageFont.truetype(self.path, size)
        return self.fonts[size]

    def has(self, text):
        """Whether every character is drawn as something else than the box for a missing one."""
        font = self.at(32)
        if "missing" not in self.known:
            self.known["missing"] = bytes(font.getmask("\uf8fe"))
        for c in set(text) - {" "}:
            if c not in self.known:
                mask = bytes(font.getmask(c))
                self.known[c] = any(mask) and mask != self.known["missing"]
            if not self.known[c]:
                return False
        return True


def faces(folder):
    """The fonts of a folder with how often each is drawn: those of tills and typewriters as often as all others together."""
    found, weights = [], []
    for file in sorted(os.listdir(folder)):
        face = Face(os.path.join(folder, file))
        fixed = any(key in file for key in ("Mono", "mono", "Courier", "Cursor", "Typewriter", "typist", "OCR", "3270", "Px_", "spleen", "Terminus", "VT220", "Code",
                                            "Hack", "Inconsolata", "Cousine", "Agave", "Anonymous", "hermit", "Hermit", "Fira", "typewriter"))
        plain = any(key in file for key in ("Liberation", "DejaVu", "Nimbus", "texgyre", "Roboto", "Lato", "OpenSans", "Arimo", "Tinos", "Carlito", "NotoS"))
        found.append(face)
        weights.append(2.0 if fixed and not face.cell else 0.8 if face.cell else 2.5 if plain else 0.7)
    return found, weights


def draw(face, text, size, smooth, tracking):
    font = face.at(size)
    font_mode = "L" if smooth else "1"
    ascent, descent = font.getmetrics()
    width = int(font.getlength(text) + tracking * len(text)) + 2 * size
    image = Image.new("L", (width, ascent + descent + size), 0)
    pen = ImageDraw.Draw(image)
    pen.fontmode = font_mode
    if tracking:
        x = size // 2
        for c in text:
            pen.text((x, size // 2), c, fill=255, font=font)
            x += font.getlength(c) + tracking
    else:
        pen.text((size // 2, size // 2), text, fill=255, font=font)
    return np.asarray(image)


def dots(ink, pitch, roundness):
    """Each pixel as a dot of a needle printer."""
    at = (np.arange(pitch) + 0.5) / pitch * 2 - 1
    distance = np.sqrt(at[:, None] ** 2 + at[None, :] ** 2)
    dot = np.clip((roundness - distance) * pitch / 2 + 0.5, 0, 1)
    return (np.kron(ink > 127, dot) * 255).astype(np.uint8)


def render(text, face, rng):
    """Ink from 0 to 255, or None where the font lacks a letter."""
    if not face.has(text):
        return None
    roll = rng.random()
    tracking = rng.uniform(0.3, 3) if rng.random() < 0.12 else 0
    if face.cell:
        ink = draw(face, text, face.cell, False, round(tracking))
        ink = dots(ink, 5, rng.uniform(0.8, 1.2)) if roll < 0.3 else np.kron(ink, np.ones((4, 4), np.uint8))
    elif roll < 0.58:
        ink = draw(face, text, rng.randint(30, 52), True, tracking * 3)
    elif roll < 0.9:
        ink = np.kron(draw(face, text, rng.randint(15, 28), False, round(tracking)), np.ones((3, 3), np.uint8))
    else:
        ink = dots(draw(face, text, rng.randint(11, 17), False, round(tracking)), 5, rng.uniform(0.85, 1.2))
    rows, columns = np.flatnonzero(ink.max(1) > 60), np.flatnonzero(ink.max(0) > 60)
    if len(rows) == 0:
        return None
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    high = max(bottom - top, int(0.3 * (right - left) / max(1, len(text))), 6)
    # A box of the detector is a fifth higher than the letters, more or less, and begins a little before them.
    above, below = rng.uniform(0.02, 0.3) * high, rng.uniform(0.02, 0.3) * high
    extra = max(0, high - (bottom - top))
    share = rng.random()
    top, bottom = int(top - above - extra * share), int(bottom + below + extra * (1 - share))
    left, right = int(left - rng.uniform(0.0, 0.5) * high), int(right + rng.uniform(0.0, 0.5) * high)
    image = Image.fromarray(ink).crop((left, top, right, bottom))
    stretch = rng.uniform(0.8, 1.25) if rng.random() < 0.85 else rng.choice((rng.uniform(0.55, 0.8), rng.uniform(1.3, 2.0)))
    width = (right - left) / (bottom - top) * ROWS * stretch
    # Between 9 and 40 columns a letter (of 64 rows 12 and 53): narrower does not fit the steps, wider is never shown.
    width = int(min(max(width, 12.5 * len(text) + 8, 16), 56 * len(text) + 64))
    if width > WIDEST:
        return None
    return np.asarray(image.resize((width, ROWS), Image.BILINEAR if rng.random() < 0.6 else Image.BOX))


def lines(texts, folder, seed):
    """Endless pairs of ink and text."""
    rng = random.Random(seed)
    found, weights = faces(folder)
    plain = [i for i, face in enumerate(found) if face.has("ąčęėįşğőřůť€£")]
    while True:
        text = texts.line()
        face = found[rng.choices(range(len(found)), weights)[0]]
        ink = render(text, face, rng)
        if ink is None:
            ink = render(text, found[rng.choice(plain)], rng)
        if ink is None:
            text = text[:18].strip()
            ink = render(text, found[rng.choice(plain)], rng) if text else None
        if ink is not None:
            yield ink, text
