"""Parts that many pages have: parties, header fields, tables of items, sums, foot lines. A grammar puts them where its maker would."""
import content
from page import Ink, cased


def party(page, x, y, width, role, *, name=None, lines=None, align="l", heading=None, labelled=None, sign=0.1, size=None):
    """A party as a block: its name, address, numbers, contact. `role` is seller, buyer or other. Gives the y below it."""
    r, size = page.r, size or page.size
    name = name or (content.person(page) if role != "seller" and r.p(0.28) else content.company(page))
    lines = lines or content.address(page)
    meaning = {"seller": "party.seller", "buyer": "party.buyer", "other": "party.other"}[role]
    at = x if align == "l" else x + width if align == "r" else x + width / 2
    style = {"align": align, "width": width, "size": size}
    has_heading = heading if heading is not None else r.p({"seller": 0.15, "buyer": 0.7, "other": 1}[role])
    if labelled if labelled is not None else r.p(0.1):
        return _labelled_party(page, x, y, width, role, name, lines, meaning)
    head = None
    if has_heading:
        head = page.put(at, y, page.caption(meaning) + page.colon, "caption", bold=r.p(0.6), **style)
        y = head.bottom
    elif role == "seller" and r.p(sign):
        y = page.put(at, y, r.fill("@@@") + " " + r.choice(page.names["last"]), None, size=size * 2.4, bold=True, align=align).bottom
    if role == "buyer" and r.p(0.08):
        y = page.put(at, y, r.choice(["Herr", "Frau", "Mr", "Mrs", "Ms", "M.", "Mme", "Sr.", "Sig.", "Firma", "An", "To"]), None, **style).bottom
    own = r.choice([1, 1, 1.2, 1.6, 2.2, 3]) if role == "seller" and align != "x" else 1
    y = page.put(at, y, name, f"{role}_name", bold=r.p(0.5), under=head, **{**style, "size": size * own}).bottom
    if role == "seller" and r.p(0.12):
        y = page.put(at, y, page.sentence(50), None, **{**style, "size": size * 0.8}).bottom
    if role != "seller" and r.p(0.2):
        person = r.choice([content.person(page), page.phrase("attention", "Attn") + " " + content.person(page)])
        y = page.put(at, y, person, None, **style).bottom
    if r.p(0.92):
        if r.p(0.18):
            y = page.put(at, y, r.choice([", ", " · ", " - ", " | "]).join(lines), f"{role}_address", **style).bottom
        else:
            y = page.block(at, y, lines, f"{role}_address", **style).bottom
    extra = []
    contact = f"{role}_contact" if role != "other" else None
    if r.p(0.45 if role == "seller" else 0.15):
        extra.append((page.caption("contact", "Tel"), content.phone(page), contact))
    if r.p(0.35 if role == "seller" else 0.12):
        extra.append((r.choice(["", "", "E-mail", "Email"]), content.email(page), contact))
    if r.p(0.25) and role == "seller":
        extra.append(("", content.website(page), contact))
    if r.p(0.5 if role == "seller" else 0.3) and role != "other":
        extra.append((page.caption("vat_id", "VAT"), content.tax_number(page), f"{role}_tax"))
        page.has_tax_number = True
    if r.p(0.15) and role == "seller":
        extra.append((r.choice(["HRB", "Reg. No.", "RCS", "KvK", "Company No", "SIRET", "Org.nr", "CVR"]), r.fill(r.choice(["#####", "########", "### ### ### #####"])), "seller_register"))
    r.shuffle(extra)
    for caption, value, tag in extra:
        if caption and align == "l":
            y = page.pair(x, y, caption, value, tag, size=size, style="inline").bottom
        else:
            y = page.line(at, y, [(caption + page.colon if caption else "", "caption"), (value, tag)], align=align, size=size).bottom
    return y


def _labelled_party(page, x, y, width, role, name, lines, meaning):
    """"Name: ...", "Address: ..." in rows under a heading."""
    r = page.r
    page.put(x, y, page.caption(meaning) + r.choice(["", ":"]), "heading", size=page.size * r.choice([1, 1.15]), bold=r.p(0.7))
    y += page.size * page.leading * 1.2
    gap = width * r.uniform(0.3, 0.5)
    rows = [(r.choice([page.phrase("party.name", "Name"), "Name"]), name, f"{role}_name")]
    if r.p(0.3):
        rows.insert(0, (page.phrase("other_number", "No."), content.number(page), "reference"))
    for _ in range(r.choice([0, 0, 1])):
        rows.insert(r.randint(0, len(rows)), (page.phrase("other_number", "ID"), r.fill("#############"), "reference"))
    if r.p(0.6):
        rows.append((page.phrase("party.address", "Address"), lines if r.p(0.7) else ", ".join(lines), f"{role}_address"))
    else:
        streets = ["Street", "Straße", "Rue", "Adres", "Calle", "Via", "Address 1", "Ulice", "Utca"]
        rows += [(r.choice(streets), lines[0], f"{role}_address"), (r.choice(["City", "Ort", "Ville", "Plaats", "Ciudad", "Città", "Town"]), (lines + [r.choice(page.names["city"])])[1], f"+{role}_address")]
    if r.p(0.5):
        rows.append((page.phrase("contact", "Tel"), content.phone(page), f"{role}_contact" if role != "other" else None))
    if r.p(0.6) and role != "other":
        rows.append((page.phrase("vat_id", "VAT"), content.tax_number(page), f"{role}_tax"))
    style = r.choice(["inline", "beside", "beside"])
    for caption, value, tag in rows:
        goes_on = bool(tag) and tag.startswith("+")
        ink = page.pair(x, y, cased(page.case, caption), value, tag[1:] if goes_on else tag, style=style, gap=gap, width=width)
        if goes_on:
            begun = next((w for w in page.words[ink.first : ink.last] if w.tag == "B-" + tag[1:]), None)
            if begun:
                begun.tag = "I-" + tag[1:]
        y = ink.bottom
    return y


def one_line_party(page, x, y, width, name, lines):
    """A sender's line, as letterheads and window envelopes have it."""
    r = page.r
    mark = r.choice(["-", "·", "|", ",", "/", "•"])
    joiner = f" {mark} " if mark != "," else ", "
    parts = [(name, "seller_name"), (mark if mark != "," else "", None), (joiner.join(lines) if r.p(0.6) else ", ".join(lines), "seller_address")]
    if r.p(0.4):
        parts += [(mark, None), (page.phrase("contact", "Tel"), None), (content.phone(page), "seller_contact")]
    return page.line(x, y, parts, size=page.size * r.uniform(0.6, 1)).bottom


def header_fields(page, *, number="number", due=0.55, order=0.3, more=None):
    """Captions with values as (caption, value, tag), in the order of the page."""
    r = page.r
    fields = [
        (page.caption({"number": "invoice_number"}.get(number, "other_number")), content.number(page), number),
        (page.caption("issue_date"), page.date(), "issue_date"),
    ]
    if r.p(due):
        fields.append((page.caption("due_date"), page.date(), "due_date"))
    if r.p(order):
        words = ["P.O. Number", "PO #", "PO No.", "Customer PO", "P.O.#", "Order No.", "Your order", "Bestellnummer", "Votre commande", "N° commande", "Su pedido", "Vs. ordine", "Uw bestelling"]
        value = r.choice(["PO-", "PO", "", "4500", "B-"]) + r.fill(r.choice(["#####", "####", "######", "##-###"])) if r.p(0.5) else content.number(page)
        fields.append((cased(page.case, r.choice(words)) if r.p(0.4) and not r.p(page.unknown) else page.caption("purchase_order"), value, "order"))
    for _ in range(r.choice([0, 0, 1, 1, 2, 3]) if more is None else more):
        kind = r.choice(["reference", "customer", "delivery_date", "terms", "form", "date", "period"])
        if kind in ("reference", "customer"):
            words = ["Customer no.", "Kundennummer", "N° client", "Client ID", "Cliente", "Klantnummer", "Account"] if kind == "customer" else None
            fields.append((cased(page.case, r.choice(words)) if words and r.p(0.7) else page.caption("other_number", "Ref"), content.number(page), kind if words else "reference"))
        elif kind == "delivery_date":
            fields.append((page.caption("delivery_date"), page.date(), "delivery_date"))
        elif kind == "terms":
            fields.append((page.caption("terms", "Terms"), r.choice([f"{r.choice([7, 14, 30, 60])} {r.choice(['days', 'Tage', 'jours', 'dagen', ''])}", "Net 30", page.sentence(25)]), "terms"))
        elif kind == "date":
            fields.append((page.caption("other_date", "Date of expiry"), page.date(), None))
        elif kind == "period":
            fields.append((page.caption("statement.period", "Period"), f"{page.date()} {r.choice(['-', '–', 'to', 'bis'])} {page.date()}", None))
        else:
            fields.append((page.caption("form_key"), r.choice([content.person(page), page.sentence(28), page.money(r.uniform(5, 900))]), None))
    if r.p(0.35):
        r.shuffle(fields)
    return fields


def write_fields(page, x, y, width, fields, style=None):
    """Header fields in one of the usual styles. Gives the y below."""
    if not fields:
        return y
    r, size = page.r, page.size
    style = style or r.choice(["inline", "beside", "right", "under", "columns", "inline", "beside", "boxes"])
    gap, step, bold = width * r.uniform(0.38, 0.6), size * page.leading * r.choice([1, 1, 1.2, 1.5]), r.p(0.4)
    if style in ("columns", "boxes") and len(fields) <= 5:
        column = width / len(fields)
        heads = [page.put(x + i * column, y, c, "caption", size=size * 0.9, bold=bold, width=column * 0.95) for i, (c, _, _) in enumerate(fields)]
        y = max(head.bottom for head in heads) + size * r.uniform(0, 0.8)
        return max(page.put(x + i * column, y, v, t, size=size * 0.95, width=column * 0.98, under=heads[i]).bottom for i, (_, v, t) in enumerate(fields))
    for caption, value, tag in fields:
        if style == "under":
            y = page.pair(x, y, caption, value, tag, style="under", bold=bold, width=width).bottom + size * 0.3
        elif style == "right":
            name = page.put(x + gap * 0.95, y, caption + page.colon, "caption", bold=bold, align="r")
            at_right = r.p(0.5)
            page.put(x + width if at_right else x + gap, y, value, tag, align="r" if at_right else "l", under=name)
            y += step
        else:
            ink = page.pair(x, y, caption, value, tag, style="inline" if style == "inline" else "beside", gap=gap, bold=bold)
            y = max(y + step, ink.bottom)
    return y


HEADINGS = {
    "text": "column.description", "quantity": "column.quantity", "price": "column.unit_price", "rate": "column.tax_rate",
    "unit": "column.unit", "discount": "column.discount", "date": "column.date", "position": "column.position",
    "code": "column.code", "total": "column.total", "tax": "tax_total",
}


def item_columns(page):
    r = page.r
    columns = ["text"] + [c for c, chance in (("quantity", 0.78), ("price", 0.65), ("rate", 0.25), ("unit", 0.15), ("discount", 0.12), ("date", 0.08), ("tax", 0.06)) if r.p(chance)]
    if r.p(0.3):
        r.shuffle(columns)
    if r.p(0.2):
        columns.insert(0, "position")
    if r.p(0.2):
        columns.insert(r.choice([0, 1]), "code")
    return columns + ["total"]


def items_table(page, x, y, width, sums, *, columns=None, headings=0.93, notes=0.15, first_row=0):
    """A table of items; every cell is of its row and under its heading. Gives the y below."""
    r, size = page.r, page.size
    columns = columns or item_columns(page)
    weights = [r.uniform(2.5, 4.5) if c == "text" else r.uniform(0.5, 0.8) if c in ("position", "rate", "unit") else r.uniform(0.8, 1.3) for c in columns]
    unit, places, at = width / sum(weights), {}, x
    for column, weight in zip(columns, weights):
        places[column] = (at, weight * unit)
        at += weight * unit
    aligned = {c: "l" if c in ("text", "code", "position", "unit", "date") else r.choice(["r", "r", "r", "c", "l"]) for c in columns}

    def edge(column):
        left, wide = places[column]
        return left if aligned[column] == "l" else left + wide - 4 if aligned[column] == "r" else left + wide / 2

    heads = {}
    if r.p(headings):
        bold, bottom = r.p(0.7), y
        for column in columns:
            heads[column] = page.put(edge(column), y, page.caption(HEADINGS[column], column), "heading", size=size * 0.95, bold=bold, align=aligned[column], width=places[column][1] * 1.05)
            bottom = max(bottom, heads[column].bottom)
        y = bottom + size * r.uniform(0, 0.7)
    place = page.currency_place if r.p(0.4) else "none"
    step = size * page.leading * r.choice([1, 1.15, 1.5, 2])
    for index, (quantity, price, total) in enumerate(sums.items):
        row, bottom = first_row + index + 1, y + size * page.leading
        rate = sums.parts[0][0]
        cells = {
            "quantity": content.quantity(page, quantity), "price": page.money(price, place), "total": page.money(total, place),
            "rate": content.rate(page, rate), "unit": page.phrase("unit", "pcs"), "discount": r.choice(["0", "5 %", "10%", "-", "0,00"]),
            "date": page.date(), "position": str(index + 1), "code": content.number(page), "tax": page.plain(total * rate / 100),
        }
        for column in columns:
            style = {"row": row, "under": heads.get(column), "align": aligned[column]}
            if column == "text":
                ink = page.put(edge(column), y, content.product(page), "item_text", width=places[column][1] * 0.95, row=row, under=heads.get(column))
                bottom = max(bottom, ink.bottom)
                if r.p(notes):
                    ink = page.put(edge(column), ink.bottom, page.sentence(60), "item_note", size=size * 0.85, width=places[column][1] * 0.95, row=row)
                    bottom = max(bottom, ink.bottom)
            else:
                page.put(edge(column), y, cells[column], f"item_{column}", **style)
        y = bottom + step - size * page.leading
    return y


def sum_rows(page, sums, *, paid=0.2):
    """What stands under a table: (caption, amount, tag) from top to bottom."""
    r = page.r
    rows = []
    if sums.discount or sums.shipping:
        if r.p(0.7):
            rows.append((page.caption("net_total"), sums.items_sum, "items_sum"))
        if sums.discount:
            rows.append((page.caption("discount"), -sums.discount, "discount"))
        if sums.shipping:
            rows.append((page.caption("shipping"), sums.shipping, "shipping"))
    if r.p(0.8):
        rows.append((page.caption("net_total"), sums.net, "net"))
    if len(sums.parts) == 1:
        if r.p(0.88):
            rate = sums.parts[0][0]
            rows.append((page.caption("tax_total") + r.choice(["", f" {rate:g}%", f" ({rate:g} %)", f" {rate:g} %"]), sums.tax, "tax"))
    else:
        for rate, _, tax in sums.parts:
            rows.append((page.caption("tax_total") + f" {rate:g}%", tax, "tax_part"))
        if r.p(0.4):
            rows.append((page.caption("tax_total"), sums.tax, "tax"))
    total = sums.total
    if r.p(0.05):
        rounding = round(r.uniform(-0.5, 0.5), page.decimals)
        rows.append((page.caption("rounding", "Rounding"), rounding, "rounding"))
        total = round(total + rounding, page.decimals)
    if r.p(0.06):
        withheld = round(sums.net * r.choice([0.15, 0.2, 0.07, 0.04]), page.decimals)
        rows.append((r.choice(["IRPF", "Ritenuta d'acconto", "Retenue", "Withholding tax", "WHT", "Ritenuta", "Retención", "TDS"]) + r.choice([" 15%", " 20 %", ""]), -withheld if r.p(0.7) else withheld, "withheld"))
        total = round(total - withheld, page.decimals)
    rows.append((page.caption("grand_total"), total, "total"))
    chance = r.random()
    if chance < paid:
        paid_sum = r.choice([0, total, round(total * 0.3, page.decimals)])
        rows.append((page.caption("prepaid", "Paid"), r.choice([1, -1]) * paid_sum, "prepaid"))
        rows.append((page.caption("amount_due"), round(total - paid_sum, page.decimals), "due"))
    elif chance < paid + 0.12:
        rows.append((page.caption("amount_due"), total, "due"))
    elif chance < paid + 0.2:
        before = round(r.uniform(-50, 800) * page.scale, page.decimals)
        extra = [(r.choice(["Previous balance", "Previous unpaid balance", "Saldo anterior", "Ancien solde", "Alter Saldo", "Vorheriger Saldo", "Saldo precedente", "Vorig saldo"]), before, "previous"), (page.caption("amount_due"), round(total + before, page.decimals), "due")]
        rows = [extra[0]] + rows + [extra[1]] if r.p(0.3) else rows + extra
    if r.p(0.04):
        r.shuffle(rows)
    return rows


def write_sums(page, x, y, width, rows, style=None):
    """Sums at the right of x..x+width, or in one row. Gives the y below."""
    r, size = page.r, page.size
    style = style or (r.choice(["columns", "columns", "right", "inline", "row"]) if len(rows) <= 4 else r.choice(["columns", "columns", "right", "inline"]))
    right = x + width - 4 if r.p(0.8) else x + width * r.uniform(0.5, 0.9)
    left, bold = right - width * r.uniform(0.2, 0.42), r.p(0.5)
    if style == "row":
        column = width / len(rows)
        heads = [page.put(x + i * column, y, c, "caption", size=size * 0.9, bold=bold, width=column * 0.9) for i, (c, _, _) in enumerate(rows)]
        y = max(head.bottom for head in heads) + size * 0.3
        return max(page.put(x + i * column, y, page.money(v), t, under=heads[i]).bottom for i, (_, v, t) in enumerate(rows))
    for caption, value, tag in rows:
        large = size * (r.choice([1, 1, 1.2, 1.5]) if tag in ("total", "due") else 1)
        strong = bold and tag in ("total", "due")
        text = page.money(value, page.currency_place if r.p(0.85) else "none")
        if style == "inline":
            at = x if right < x + width * 0.7 else left
            page.pair(at, y, caption, text, tag, size=large, bold=strong, value_bold=strong)
        else:
            name = page.put(left, y, caption + page.colon, "caption", size=large, bold=strong) if style == "columns" else page.put(right - (right - left) * 0.45, y, caption + page.colon, "caption", size=large, bold=strong, align="r")
            page.put(right, y, text, tag, size=large, bold=strong, align="r", under=name)
        y += large * page.leading * r.choice([1, 1, 1.25])
    return y


def rate_table(page, x, y, width, sums):
    r, size = page.r, page.size * 0.85
    names = [("column.tax_rate", "tax_rate"), ("net_total", "tax_base"), ("tax_total", "tax_part"), ("grand_total", None)]
    column = width * r.uniform(0.11, 0.16)
    heads = [page.put(x + i * column, y, page.caption(n)[:16], "heading", size=size) for i, (n, _) in enumerate(names)]
    for rate, base, tax in sums.parts:
        y += size * page.leading
        for i, (text, tag) in enumerate([(content.rate(page, rate), "tax_rate"), (page.plain(base), "tax_base"), (page.plain(tax), "tax_part"), (page.plain(base + tax), None)]):
            page.put(x + i * column, y, text, tag, size=size, under=heads[i])
    return y + size * page.leading * 1.3


def payment_foot(page, x, y, width):
    r, size = page.r, page.size
    if r.p(0.5):
        y = page.line(x, y, [(page.phrase("bank_word", "Bank") + page.colon if r.p(0.5) else "", "caption"), (content.bank(page), "bank")]).bottom
    y = page.line(x, y, [(r.choice(["IBAN", "IBAN:", "Konto / IBAN:", "IBAN No.", "Compte IBAN :", "Bank account:"]), "caption"), (content.iban(page), "iban")]).bottom
    if r.p(0.6):
        y = page.line(x, y, [(r.choice(["BIC", "SWIFT", "BIC/SWIFT"]) + page.colon, "caption"), (content.bic(page), "bic")]).bottom
    return y


def letterhead_foot(page, name, lines):
    """The seller once more at the bottom, as letter paper has it."""
    r, size = page.r, page.size * 0.72
    y = page.height - size * r.uniform(2, 7)
    mark = r.choice(["·", "|", "-", "•", ","])
    parts = [(name, None), (mark, None), (f" {mark} ".join(lines), None)]
    if r.p(0.5):
        parts += [(mark, None), (content.phone(page), "seller_contact")]
    if r.p(0.5):
        parts += [(mark, None), (page.phrase("vat_id", "VAT"), "caption"), (content.tax_number(page), "seller_tax")]
        page.has_tax_number = True
    page.line(page.width / 2 - 380, y, parts, size=size)
    if r.p(0.3):
        page.put(page.width - 60, y + size * page.leading, f"{page.phrase('page', 'Page')} 1 / {r.randint(1, 3)}", "page_counter", size=size, align="r")
