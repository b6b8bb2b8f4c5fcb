"""What else gets onto a page, and what scanners, cameras and recognition do to it."""
import content
from tags import KINDS, TAG_ID

#: Letters that recognition takes for each other; measured on our own recogniser over the clean and damaged pages of bench/extraction.
TAKEN_FOR = {
    "0": "O", "O": "0", "1": "l", "l": "1", "5": "S", "S": "5", "8": "B", "B": "8", ",": ".", ".": ",", "m": "rn", "e": "c", "é": "e", "ü": "u",
    "ö": "o", "ä": "a", "ß": "B", "i": "1", "I": "l", "ł": "l", "€": "e", "£": "E", ":": "", "'": "", "-": "", "č": "c", "ő": "ö", "ș": "s",
}


def finished(page, r):
    """A page as the net sees it: texts, boxes in widths of the page, bold, certainty, tags, rows, captions, kind, first."""
    stray(page, r)
    words = [[w.text, w.left, w.top, w.right, w.bottom, int(w.bold), TAG_ID[w.tag], w.row, w.under, 1.0] for w in page.words]
    for index, word in enumerate(words):
        word.append(index)
    if r.p(0.5):
        across, down, left, top = r.uniform(0.72, 1.06), r.uniform(0.6, 1.15), r.uniform(-30, 120), r.uniform(-30, 250)
        for word in words:
            word[1], word[3] = word[1] * across + left, word[3] * across + left
            word[2], word[4] = word[2] * down + top, word[4] * down + top
    if r.p(0.35):
        words = _recognised(words, page, r)
    words = [word for word in words if word[0]][:700]
    place = {word[10]: index for index, word in enumerate(words)}
    anchors = {}
    for index, word in enumerate(words):
        if word[7] is not None:
            begins = word[6] in (TAG_ID["B-item_text"], TAG_ID["B-move_text"])
            if word[7] not in anchors or (begins and not anchors[word[7]][1]):
                anchors[word[7]] = (index, begins)
    return (
        [word[0] for word in words],
        [tuple(v / page.width for v in word[1:5]) for word in words],
        [word[5] for word in words],
        [word[9] for word in words],
        [word[6] for word in words],
        [anchors[word[7]][0] if word[7] is not None else -100 for word in words],
        [place.get(word[8], -100) if word[8] is not None else -100 for word in words],
        KINDS.index(page.kind),
        int(page.is_first),
    )


def stray(page, r):
    """Lines of programs, stamps and prints that belong to no part of the document: (c) notes, paths, "COPY", page counters."""
    top = min((word.top for word in page.words), default=0)
    bottom = max((word.bottom for word in page.words), default=0)
    size = page.size * r.uniform(0.6, 1.1)
    text = lambda: r.choice([
        page.sentence(70), f"{page.sentence(40)} (c) {content.company(page)} {r.randint(1999, 2027)}", f"{content.website(page)} {page.date()}",
        f"{page.sentence(30)} {content.number(page)}", f"{content.company(page)} - {page.sentence(30)}", page.date() + " " + r.fill("##:##"),
    ])
    if r.p(0.15):
        shift = max(0, size * 2.5 - top)
        for word in page.words:
            word.top, word.bottom = word.top + shift, word.bottom + shift
        page.put(r.choice([40, 500, 960]), max(2, top + shift - size * 2), text(), size=size, bold=r.p(0.3), align=r.choice("lcr") if r.p(0.3) else "l", width=900)
        bottom += shift
    if r.p(0.15):
        page.put(r.uniform(30, 120), bottom + size * r.uniform(1, 4), text(), size=size, width=850)
    if r.p(0.15):
        of = r.choice(["/", "of", "von", "de", "di", "sur", "van", "z", "av"])
        counter = f"{page.phrase('page', 'Page')} {r.choice(['1', '2', '3'])} {of} {r.randint(1, 9)}"
        page.put(r.choice([60, 500, 940]), bottom + size * r.uniform(1, 5), counter, "page_counter", size=size, align="c")
    if r.p(0.07):
        stamp = r.choice(["PAID", "COPY", "DRAFT", "ORIGINAL", "DUPLICATA", "KOPIE", "BEZAHLT", "PAGADO", "COPIA", "OPŁACONE"])
        page.put(r.uniform(100, 700), top + (bottom - top) * r.uniform(0, 1), stamp, size=size * r.uniform(1.5, 4), bold=True)
    page.settle()


def _recognised(words, page, r):
    wrong, shake, lean, bend = r.choice([0.003, 0.01, 0.02, 0.05]), r.uniform(0, 3), r.uniform(-0.015, 0.015), r.uniform(-1, 1) * r.choice([0, 0, 12])
    lost = r.choice([0, 0, 0.003, 0.012])
    kept = []
    for word in words:
        if r.p(lost):
            continue
        text = "".join((TAKEN_FOR.get(c, c) if r.p(wrong) else c) for c in word[0])
        middle = (word[1] + word[3]) / 2 - 500
        shift = middle * lean + bend * (middle / 500) ** 2
        box = [word[1] + r.uniform(-shake, shake), word[2] + shift + r.uniform(-shake, shake), word[3] + r.uniform(-shake, shake), word[4] + shift + r.uniform(-shake, shake)]
        kept.append([text, *box, 0, *word[6:9], round(min(1, max(0.5, r.gauss(0.97 - 2 * wrong, 0.03))), 3), word[10]])
    if r.p(0.4):
        kept = _blanks_lost(kept, page, r)
    return kept


def _blanks_lost(words, page, r):
    joined = []
    for word in words:
        last = joined[-1] if joined else None
        is_next = last and abs(last[2] - word[2]) < 3 and 0 < word[1] - last[3] < page.size * 0.5
        if is_next and r.p(0.05) and (word[6] == 0) == (last[6] == 0) and word[6] % 2 == 0:
            last[0], last[3] = last[0] + word[0], word[3]
        else:
            joined.append(word)
    return joined
