"""Invoices and their relatives as programs of many makers arrange them (author: first)."""
import content
import parts
from page import Page, cased

RELATIVES = {"quote": "title.quote", "purchase_order": "title.purchase_order", "delivery_note": "title.delivery_note", "reminder": "title.reminder"}


def write_title(page, x, y, width, fields, align="l"):
    """The title, sometimes with the number and the date in its line; those leave `fields`."""
    r, size = page.r, page.size
    meaning = {"invoice": "title.invoice", "credit_note": "title.credit_note"}.get(page.kind) or RELATIVES.get(page.kind, "title.document")
    title = cased(r.choice([0, 1, 2]), page.phrase(meaning, "Invoice"))
    number = next((f for f in fields if f[2] == "number"), None)
    day = next((f for f in fields if f[2] == "issue_date"), None)
    signs = ["Nr.", "No.", "#", "n°", "", "č.", "No", "№"]
    if number and r.p(0.3):
        shown = [(title, "title"), (r.choice(["", "", "", "(380)", "(381)"]), None), (r.choice(signs), None), (number[1], "number")]
        fields.remove(number)
        if day and r.p(0.4):
            shown += [(r.choice(["vom", "of", "du", "del", "van", "/", "z dnia", "-", ",", "ze dne", "from"]), None), (day[1], "issue_date")]
            fields.remove(day)
        return page.line(x, y, shown, size=size * r.uniform(0.9, 1.9)).bottom + size
    at = x if align == "l" else x + width if align == "r" else x + width / 2
    return page.put(at, y, title, "title", size=size * r.uniform(1.2, 3), bold=r.p(0.6), align=align).bottom + size * 0.5


def arranged(r, kind="invoice"):
    page = Page(r, r.choice([1414, 1414, 1414, 1294]))
    page.kind = kind
    size, margin = page.size, r.uniform(40, 110)
    width = 1000 - 2 * margin
    half = width / 2 - 10
    left, right, full = (margin, half), (margin + half + 20, half), (margin, width)
    name, lines = content.company(page), content.address(page)
    buyer, buyer_lines = (content.company(page) if r.p(0.72) else content.person(page)), content.address(page)
    fields = parts.header_fields(page, due=0.55 if kind == "invoice" else 0.2)

    def seller(place, align="l"):
        return lambda y: parts.party(page, place[0], y, place[1], "seller", name=name, lines=lines, align=align)

    def bill_to(place):
        return lambda y: parts.party(page, place[0], y, place[1], "buyer", name=buyer, lines=buyer_lines)

    def ship_to(place):
        same = r.p(0.5)
        return lambda y: parts.party(page, place[0], y, place[1], "other", name=buyer if same else None, lines=buyer_lines if same else None)

    def meta(place):
        return lambda y: parts.write_fields(page, place[0], y, place[1], fields)

    def title(place, align="l"):
        return lambda y: write_title(page, place[0], y, place[1], fields, align)

    def sender(place):
        return lambda y: parts.one_line_party(page, place[0], y, place[1], name, lines)

    layouts = [
        [[seller(left)], [title(full)], [bill_to(left), meta(right)]],
        [[title(left), seller(right, r.choice("lr"))], [bill_to(left), meta(right)]],
        [[seller(full, "c")], [title(full, "c")], [bill_to(left), meta(right)]],
        [[seller(left), meta(right)], [bill_to(left), ship_to(right)]],
        [[title(full, "c")], [seller(left), bill_to(right)], [meta(full)]],
        [[bill_to(left), seller(right)], [title(left)], [meta(r.choice([full, left, right]))]],
        [[meta(left), seller(right, r.choice("lr"))], [title(left), bill_to(right)]],
        [[seller(left), title(right, "r")], [meta(full)], [bill_to(left), ship_to(right)] if r.p(0.5) else [bill_to(left)]],
        [[sender(full)], [title(left)], [meta(left), bill_to(right)]],
        [[sender(full)], [bill_to(left), title(right)], [meta(full)]],
        [[title(full)], [meta(full)], [seller(full)], [bill_to(full)]],
        [[title(left), seller(right, "r")], [bill_to(left), ship_to(right)], [meta(full)]],
        [[seller(left), bill_to(right)], [title(full)], [meta(full)]],
        [[meta(right)], [title(left)], [bill_to(left), seller(right)]],
    ]
    y = r.uniform(30, 90)
    for row in r.choice(layouts):
        y = max(write(y) for write in row) + size * r.uniform(0.5, 2.5)
    if r.p(0.3):
        y = page.put(margin, y, page.sentence(), width=width).bottom + size
    sums = content.Sums(page, rates=None)
    if kind == "credit_note" and r.p(0.4):
        negate(sums)
    y = parts.items_table(page, margin, y, width, sums) + size * r.uniform(0.3, 2)
    if kind != "delivery_note" or r.p(0.3):
        y = parts.write_sums(page, margin, y, width, parts.sum_rows(page, sums))
        if len(sums.parts) > 1 or r.p(0.12):
            y = parts.rate_table(page, margin + r.choice([0, width * 0.45]), y + size, width, sums)
    y += size * r.uniform(0.5, 3)
    if r.p(0.15) and not any(field[2] == "due_date" for field in fields):
        y = page.line(margin, y, [(page.sentence(40), None), (page.phrase("due_date").lower(), "caption"), (page.date(), "due_date"), (page.sentence(30) if r.p(0.5) else "", None)]).bottom
    for _ in range(r.choice([0, 0, 1, 2, 3])):
        y = page.put(margin, y, page.sentence() if r.p(0.6) else page.caption("section_end") + ": " + page.sentence(), width=width).bottom + size * 0.4
    foot = max(y, page.height - size * r.uniform(4, 9)) if r.p(0.6) else y
    if r.p(0.55):
        foot = parts.payment_foot(page, margin + r.choice([0, 0, width * 0.35, width * 0.6]), foot, width)
    if not getattr(page, "has_tax_number", False) and r.p(0.5):
        page.pair(margin + width * r.choice([0, 0.4, 0.6]), foot, page.caption("vat_id"), content.tax_number(page), "seller_tax", size=size * 0.8)
    if r.p(0.2):
        parts.letterhead_foot(page, name, lines)
    return page.settle()


def negate(sums):
    sums.items = [(quantity, -price, -total) for quantity, price, total in sums.items]
    for name in ("items_sum", "net", "tax", "total", "discount", "shipping"):
        setattr(sums, name, -getattr(sums, name))
    sums.parts = [(rate, -base, -tax) for rate, base, tax in sums.parts]


def listing(r):
    """Everything in one column under headings, as style sheets print machine-readable invoices."""
    page = Page(r, r.choice([1414, 1414, 2000]), size=r.uniform(11, 16))
    page.kind = "invoice"
    size, margin = page.size, r.uniform(50, 110)
    width, y = 1000 - 2 * margin, r.uniform(20, 60)
    gap, style = width * r.uniform(0.2, 0.42), "inline" if r.p(0.35) else "beside"
    pair = lambda caption, value, tag: page.pair(margin, y, caption, value, tag, style=style, gap=gap, width=width).bottom
    heading = lambda text: page.put(margin, y + size * r.uniform(0.3, 1.2), text, "heading", size=size * 1.1, bold=r.p(0.7)).bottom + size * 0.2
    fields = parts.header_fields(page)
    y = write_title(page, margin, y, width, fields)
    for field in fields:
        y = pair(*field)
    name, lines = content.company(page), content.address(page)
    sides = [("seller", name, lines, "party.seller"), ("buyer", content.company(page), content.address(page), "party.buyer")]
    for role, who, where, meaning in sides if not r.p(0.15) else sides[::-1]:
        y = heading(page.caption(meaning))
        rows = [(page.phrase("party.name", "Name"), who, f"{role}_name"), (page.phrase("party.address", "Address"), where, f"{role}_address")]
        if r.p(0.6):
            rows.insert(0, (r.choice(["Nummer", "Number", "ID", "Code", "Kennung"]), content.number(page), "reference"))
        if r.p(0.4):
            rows.insert(r.randint(0, len(rows)), (r.choice(["GLN", "Global ID", "DUNS", "SIRET"]), r.fill("#############"), "reference"))
        if r.p(0.6):
            rows.append((page.caption("vat_id"), content.tax_number(page), f"{role}_tax"))
        if r.p(0.4):
            rows.append((page.caption("contact"), content.phone(page), f"{role}_contact"))
        if r.p(0.3):
            for _, value, tag in rows:
                y = page.block(margin, y, value if isinstance(value, list) else [value], tag).bottom
        else:
            for row in rows:
                y = pair(*row)
    if r.p(0.25):
        y = heading(page.caption("party.other"))
        y = pair("Name", content.company(page), "other_name")
        y = pair(page.phrase("party.address", "Address"), content.address(page), "other_address")
    if r.p(0.5):
        y = heading(page.caption("section_end"))
        for _ in range(r.randint(1, 4)):
            y = page.put(margin, y, page.sentence(), width=width).bottom
    sums = content.Sums(page, r.choice([1, 1, 2, 3, 5, 8]))
    y = heading(page.caption("column.description"))
    y = parts.items_table(page, margin, y, width, sums)
    y = parts.rate_table(page, margin, heading(page.caption("tax_total")), width, sums) if r.p(0.6) else y
    y = heading(page.caption("grand_total"))
    at_right = r.p(0.5)
    for caption, value, tag in parts.sum_rows(page, sums):
        name_ink = page.put(margin, y, caption + page.colon, "caption")
        page.put(margin + width if at_right else margin + gap * 1.3, y, page.money(value), tag, align="r" if at_right else "l", under=name_ink)
        y += size * page.leading * 1.1
    if r.p(0.6):
        y = heading(r.choice(["Zahlung", "Payment", "Paiement", "Pago", "Bank"]))
        y = pair("IBAN", content.iban(page), "iban")
        y = pair("BIC", content.bic(page), "bic")
    return page.settle()


GRAMMARS = [(lambda r: arranged(r), 10), (lambda r: arranged(r, "credit_note"), 1.5), (listing, 2.5)]
GRAMMARS += [((lambda kind: lambda r: arranged(r, kind))(kind), 0.5) for kind in RELATIVES]
