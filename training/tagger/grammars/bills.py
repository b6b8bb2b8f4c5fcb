"""Bills of every day: energy, telephone, hotel, repair, card, and sheets of boxes; second pages (author: first)."""
import content
import parts
from page import Page, cased


def cell(page, x, y, width, caption, value, tag, *, above=True, align="l", size=None, row=None):
    """A box of a form: a small caption over (or beside) what is filled in. Gives its height."""
    size = size or page.size
    name = page.put(x + 4, y, caption, "caption", size=size * page.r.choice([0.6, 0.7, 0.75]), width=width - 8)
    at = {"l": x + 4, "r": x + width - 4, "c": x + width / 2}[align]
    if not above:
        ink = page.put(x + width * 0.45, y, value, tag, size=size, under=name, width=width * 0.53, row=row)
    else:
        ink = page.block(at, name.bottom + size * 0.15, value if isinstance(value, list) else [value], tag, size=size, align=align, width=width - 8, under=name, row=row)
    return max(ink.bottom, name.bottom) - y


def boxed_invoice(r):
    """Everything in cells with captions over values, as ledgers and printed stationery have it."""
    page = Page(r, r.choice([1414, 1294]), size=r.uniform(12, 17))
    page.kind = r.choice(["invoice"] * 6 + ["credit_note", "quote", "purchase_order", "delivery_note"])
    page.colon = ""
    size, margin = page.size, r.uniform(40, 80)
    width, y = 1000 - 2 * margin, r.uniform(30, 70)
    meaning = {"invoice": "title.invoice", "credit_note": "title.credit_note"}.get(page.kind, f"title.{page.kind}")
    title = cased(r.choice([0, 1]), page.phrase(meaning, "Invoice"))
    left = parts.party(page, margin, y, width * 0.5, "seller", heading=False, labelled=False)
    page.put(margin + width, y, title, "title", size=size * r.uniform(1.4, 2.4), bold=True, align="r")
    y = max(left, y + size * 3) + size
    fields = parts.header_fields(page, due=0.7, order=0.5, more=r.randint(1, 4))
    per_row, x, high = r.choice([2, 3, 4, 5]), margin, 0
    for index, (caption, value, tag) in enumerate(fields):
        column = width / per_row
        high = max(high, cell(page, margin + (index % per_row) * column, y, column, caption, value, tag, align=r.choice("llc")))
        if index % per_row == per_row - 1 or index == len(fields) - 1:
            y, high = y + high + size * r.uniform(0.2, 0.8), 0
    half = width / 2
    buyer, where = content.company(page) if r.p(0.7) else content.person(page), content.address(page)
    if r.p(0.5):
        sides = [("buyer", "party.buyer", buyer, where), ("other", "party.other", buyer if r.p(0.4) else content.company(page), where)]
        if r.p(0.2):
            sides = sides[::-1]
        high = 0
        for index, (role, meaning, name, lines) in enumerate(sides):
            at, top = margin + index * half, y
            top = page.put(at + 4, top, page.caption(meaning), "caption", size=size * 0.8, bold=r.p(0.5)).bottom
            top = page.put(at + 4, top, name, f"{role}_name", width=half - 8).bottom
            high = max(high, page.block(at + 4, top, lines, f"{role}_address", width=half - 8).bottom - y)
        y += high + size
    else:
        y = parts.party(page, margin, y, half, "buyer", name=buyer, lines=where, heading=True) + size
    sums = content.Sums(page)
    y = parts.items_table(page, margin, y, width, sums, headings=1, notes=0.05) + size
    rows = parts.sum_rows(page, sums)
    if r.p(0.5):
        column = width / len(rows)
        y += max(cell(page, margin + i * column, y, column, c, page.money(v), t, align=r.choice("lrc")) for i, (c, v, t) in enumerate(rows)) + size
    else:
        y = parts.write_sums(page, margin, y, width, rows) + size
    if r.p(0.6):
        y = parts.payment_foot(page, margin, y, width)
    return page.settle()


USAGE = {
    "en": ["Meter reading", "Consumption", "Standing charge", "Unit rate", "Previous reading", "Current reading", "Days"],
    "de": ["Zählerstand", "Verbrauch", "Grundpreis", "Arbeitspreis", "Zählernummer", "Abschlag", "Tage"],
    "fr": ["Relevé", "Consommation", "Abonnement", "Prix unitaire HT", "Index précédent", "Index actuel", "Jours"],
    "es": ["Lectura anterior", "Lectura actual", "Consumo", "Término de potencia", "Término de energía", "Alquiler de equipos", "Días"],
    "it": ["Lettura precedente", "Lettura attuale", "Consumo", "Quota fissa", "Quota energia", "Oneri di sistema", "Giorni"],
    "nl": ["Meterstand", "Verbruik", "Vastrecht", "Leveringskosten", "Netbeheer", "Voorschot", "Dagen"],
}


def utility_bill(r):
    """A bill for power, water, telephone: a summary with balances, then charges by group."""
    page = Page(r)
    page.kind = "invoice"
    size, margin = page.size, r.uniform(45, 100)
    width, y = 1000 - 2 * margin, r.uniform(30, 80)
    name, lines = content.company(page), content.address(page)
    right = margin + width * 0.55
    top = y
    y = parts.party(page, margin, y, width * 0.5, "seller", name=name, lines=lines, heading=False)
    fields = [(cased(page.case, r.choice(["Customer number", "Kundennummer", "N° client", "Número de cliente", "Codice cliente", "Klantnummer", "Account number"])), r.fill("## ### ###"), "customer")]
    fields += parts.header_fields(page, due=0.7, order=0.02, more=r.randint(0, 3))
    start, end = page.date(), page.date()
    if r.p(0.6):
        fields.append((page.caption("statement.period", "Billing period"), f"{start} {r.choice(['-', '–', 'to', 'bis', 'au', 'al'])} {end}", None))
    if r.p(0.5):
        fields.append((r.choice(["Meter no.", "Zählernummer", "N° compteur", "CUPS", "POD", "EAN"]), r.fill("##################"[: r.randint(7, 18)]), "reference"))
    r.shuffle(fields)
    y = max(y, parts.write_fields(page, right, top, width * 0.45, fields)) + size
    y = parts.party(page, margin + (0 if r.p(0.6) else width * 0.5), y, width * 0.5, "buyer", heading=r.p(0.15)) + size * 2
    y = page.put(margin, y, cased(r.choice([0, 1]), page.phrase("title.invoice", "Invoice")) if r.p(0.7) else page.sentence(40), "title" if r.p(0.7) else None, size=size * 1.6, bold=True).bottom + size
    sums = content.Sums(page, r.choice([2, 3, 4, 6]), discount=0.05, shipping=0)
    total = sums.total
    words = USAGE.get(page.language, USAGE["en"])
    for index, (quantity, price, charge) in enumerate(sums.items):
        row = index + 1
        if r.p(0.25):
            y = page.put(margin, y, page.sentence(30), "heading", bold=True).bottom
        text = cased(0, r.choice(words)) + (" " + page.sentence(20) if r.p(0.3) else "")
        page.put(margin, y, text, "item_text", row=row)
        if r.p(0.5):
            at = margin + width * 0.5
            ink = page.put(at, y, content.quantity(page, quantity), "item_quantity", row=row)
            ink = page.put(ink.right + size * 0.3, y, r.choice(["kWh", "m3", "m³", "min", "GB", "days", "x"]), "item_unit", row=row)
            if r.p(0.6):
                page.put(at + width * 0.28, y, f"{price:.4f}".replace(".", page.decimal), "item_price", row=row, align="r")
        page.put(margin + width, y, page.money(charge, "none" if r.p(0.5) else None), "item_total", row=row, align="r")
        y += size * page.leading * 1.1
    y += size
    rows = parts.sum_rows(page, sums, paid=0)
    if r.p(0.5):
        before = round(r.uniform(-20, 300), 2)
        paid = r.choice([before, before, 0, round(before / 2, 2)])
        previous = [
            (r.choice(["Previous balance", "Balance brought forward", "Alter Saldo", "Solde précédent", "Saldo anterior", "Saldo precedente"]), before, "previous"),
            (r.choice(["Payments received", "Payment - thank you", "Ihre Zahlung", "Vos paiements", "Pagos recibidos", "Pagamenti"]), -paid, "prepaid"),
        ]
        rows = (previous + rows if r.p(0.6) else rows + previous) + [(page.caption("amount_due", "Amount due"), round(total + before - paid, page.decimals), "due")]
        rows = [one for index, one in enumerate(rows) if one[2] != "due" or index == len(rows) - 1]
    elif r.p(0.4):
        instalments = round(total * r.uniform(0.5, 1.2), page.decimals)
        rows += [(r.choice(["Instalments paid", "Abschlagszahlungen", "Acomptes versés", "Voorschotten"]), -instalments, "prepaid"), (page.caption("amount_due", "To pay"), round(total - instalments, page.decimals), "due")]
    y = parts.write_sums(page, margin, y, width, rows)
    y += size
    if r.p(0.5):
        y = page.put(margin, y, page.sentence() + " " + page.date() + " " + page.sentence(50) + " " + page.money(total), width=width).bottom
    if r.p(0.6):
        y = parts.payment_foot(page, margin, y + size, width)
    for _ in range(r.randint(0, 4)):
        y = page.put(margin, y + size * 0.4, page.sentence(), size=size * 0.85, width=width).bottom
    if r.p(0.4):
        parts.letterhead_foot(page, name, lines)
    return page.settle()


def folio(r):
    """A guest's account: charges by day, then what was paid."""
    page = Page(r, size=r.uniform(12, 17))
    page.kind = "invoice"
    size, margin = page.size, r.uniform(50, 100)
    width, y = 1000 - 2 * margin, r.uniform(30, 80)
    y = parts.party(page, margin, y, width, "seller", align=r.choice("lcr"), heading=False, labelled=False) + size
    top = y
    y = page.put(margin, y, content.person(page), "buyer_name").bottom
    y = page.block(margin, y, content.address(page), "buyer_address").bottom
    fields = [
        (r.choice(["Room", "Zimmer", "Chambre", "Habitación", "Camera"]), str(r.randint(1, 900)), "reference"),
        (r.choice(["Arrival", "Anreise", "Arrivée", "Llegada", "Arrivo"]), page.date(), None),
        (r.choice(["Departure", "Abreise", "Départ", "Salida", "Partenza"]), page.date(), None),
        (page.caption("invoice_number", "Folio No."), content.number(page), "number"),
        (page.caption("issue_date"), page.date(), "issue_date"),
    ]
    if r.p(0.4):
        fields.append((r.choice(["Cashier", "Guests", "Rate", "Conf. No."]), content.number(page), "reference"))
    r.shuffle(fields)
    y = max(y, parts.write_fields(page, margin + width * 0.55, top, width * 0.45, fields, r.choice(["inline", "beside", "right"]))) + size * 1.5
    if r.p(0.6):
        y = page.put(margin, y, cased(1, page.phrase("title.invoice", "Invoice")), "title", size=size * 1.5, bold=True).bottom + size
    sums = content.Sums(page, r.randint(2, 14), gross=r.p(0.7), discount=0, shipping=0)
    two = r.p(0.5)
    heads = {
        "date": page.put(margin, y, page.caption("column.date"), "heading"),
        "text": page.put(margin + width * 0.2, y, page.caption("column.description"), "heading"),
        "total": page.put(margin + width * (0.8 if two else 1), y, r.choice(["Charges", "Debit", page.caption("column.total")]), "heading", align="r"),
    }
    if two:
        page.put(margin + width, y, r.choice(["Credits", "Credit", "Payments"]), "heading", align="r")
    y += size * page.leading * 1.3
    for index, (_, _, total) in enumerate(sums.items):
        row = index + 1
        page.put(margin, y, page.date(), "item_date", row=row, under=heads["date"])
        page.put(margin + width * 0.2, y, r.choice(["Room", "Accommodation", "Breakfast", "City tax", "Minibar", "Logis", "Übernachtung", content.product(page)]), "item_text", row=row, under=heads["text"])
        page.put(margin + width * (0.8 if two else 1), y, page.plain(total), "item_total", align="r", row=row, under=heads["total"])
        y += size * page.leading
    if r.p(0.6):
        page.put(margin, y, page.date())
        page.put(margin + width * 0.2, y, r.choice(["Visa", "Master Card", "Cash", "EC-Karte"]))
        page.put(margin + width, y, page.plain(-sums.total if not two else sums.total), "prepaid", align="r")
        y += size * page.leading
    y = parts.write_sums(page, margin, y + size, width, parts.sum_rows(page, sums, paid=0.3))
    if len(sums.parts) > 1 or r.p(0.4):
        y = parts.rate_table(page, margin, y + size, width, sums)
    return page.settle()


def two_pages(r):
    """A long list over two pages, with what is carried over."""
    first = Page(r)
    first.kind = "invoice"
    size, margin = first.size, r.uniform(50, 90)
    width, y = 1000 - 2 * margin, r.uniform(30, 80)
    name = content.company(first)
    y = parts.party(first, margin, y, width * 0.5, "seller", name=name) + size
    y = parts.party(first, margin, y, width * 0.5, "buyer") + size
    y = parts.write_fields(first, margin, y, width, parts.header_fields(first)) + size
    sums = content.Sums(first, r.randint(12, 24), shipping=0)
    cut = len(sums.items) - r.randint(2, 8)
    columns = parts.item_columns(first)
    whole = sums.items
    sums.items = whole[:cut]
    y = parts.items_table(first, margin, y, width, sums, columns=columns, notes=0.03)
    carried = round(sum(item[2] for item in whole[:cut]), first.decimals)
    captions = carried_words(first)
    if r.p(0.7):
        first.put(margin + width * 0.5, y, captions[0], "caption")
        first.put(margin + width - 4, y, first.plain(carried), "carried", align="r")
    first.put(margin + width, first.settle().height - size, f"{first.phrase('page', 'Page')} 1 / 2", "page_counter", size=size * 0.8, align="r")
    second = Page(r, language=first.language, size=size)
    for habit in ("letter", "leading", "case", "colon", "unknown", "currency", "currency_place", "decimal", "thousands", "decimals", "scale", "date_style"):
        setattr(second, habit, getattr(first, habit))
    second.kind, second.is_first = "invoice", False
    y = r.uniform(40, 120)
    if r.p(0.7):
        second.line(margin, y, [(name, None), (second.phrase("title.invoice", "Invoice"), None), (content.number(second), "number" if r.p(0.5) else None)])
        y += size * 2
    second.put(margin + width, y, f"{second.phrase('page', 'Page')} 2 / 2", "page_counter", size=size * 0.8, align="r")
    y += size * 2
    if r.p(0.6):
        second.put(margin + width * 0.5, y, captions[1], "caption")
        second.put(margin + width - 4, y, second.plain(carried), "carried", align="r")
        y += size * second.leading
    sums.items = whole[cut:]
    y = parts.items_table(second, margin, y, width, sums, columns=columns, headings=0.6, notes=0.03, first_row=cut)
    y = parts.write_sums(second, margin, y + size, width, parts.sum_rows(second, sums))
    if r.p(0.5):
        parts.payment_foot(second, margin, y + size, width)
    return [first.settle(), second.settle()]


def carried_words(page):
    word = page.phrase("carried", "Carried forward")
    return cased(page.case, word), cased(page.case, page.phrase("carried", "Brought forward"))


def payslip(r):
    page = Page(r, size=r.uniform(11, 16))
    page.kind = "payslip"
    size, margin = page.size, r.uniform(40, 90)
    width, y = 1000 - 2 * margin, r.uniform(30, 80)
    y = parts.party(page, margin, y, width * 0.5, "seller", labelled=False) + size
    page.put(margin + width, y - size * 2, page.caption("title.payslip", "Payslip"), "title", size=size * 1.4, bold=True, align="r")
    y = page.pair(margin, y, page.caption("party.name", "Employee"), content.person(page), "answer", style=r.choice(["inline", "beside"])).bottom
    for _ in range(r.randint(2, 8)):
        value = r.choice([content.number(page), page.date(), page.plain(r.uniform(1, 4000)), content.person(page), page.sentence(18)])
        y = page.pair(margin + r.choice([0, 0, width * 0.5]), y, page.caption("form_key"), value, "answer", style=r.choice(["inline", "beside"])).bottom
    y += size
    heads = [page.put(margin + width * share, y, page.caption(m), "heading", align=a) for share, m, a in ((0, "column.description", "l"), (0.6, "column.quantity", "r"), (0.8, "column.unit_price", "r"), (1, "column.total", "r"))]
    for index in range(r.randint(4, 16)):
        y += size * page.leading
        page.put(margin, y, page.caption("form_key"), "caption", row=index + 1)
        if r.p(0.5):
            page.put(margin + width * 0.6, y, page.plain(r.uniform(1, 200)), None, align="r", row=index + 1, under=heads[1])
        page.put(margin + width * r.choice([0.8, 1]), y, page.plain(r.uniform(-400, 4000)), "answer", align="r", row=index + 1, under=heads[3])
    return page.settle()


def customs_form(r):
    """Numbered boxes over the whole sheet: freight, tax, customs."""
    page = Page(r, size=r.uniform(10, 14))
    page.kind = "form"
    page.colon = ""
    size, margin = page.size, r.uniform(25, 60)
    width, y, number = 1000 - 2 * margin, r.uniform(20, 50), 1
    y = page.put(margin, y, page.caption("title.form", "Declaration"), "title", size=size * r.uniform(1.2, 2), bold=True).bottom + size * 0.5
    while y < page.height - size * 5 and len(page.words) < 420:
        count = r.choice([1, 2, 2, 3, 4])
        shares = [r.uniform(0.6, 1.4) for _ in range(count)]
        x, high = margin, 0
        for share in shares:
            wide = width * share / sum(shares)
            caption = page.caption(r.choice(["form_key", "form_key", "party.name", "party.address", "other_number", "issue_date", "column.quantity"]))
            if r.p(0.6):
                caption = f"{number}{r.choice(['', '.', ')', 'a', 'b'])} {caption}"
            number += 1
            value = r.choice([content.person(page), content.company(page), page.date(), content.number(page), page.plain(r.uniform(1, 90000)), content.address(page), r.choice(["X", "CN", "DE", "2", "EUR"])])
            if r.p(0.25):
                high = max(high, page.put(x + 4, y, caption, "caption", size=size * 0.7, width=wide - 8).bottom - y)
            else:
                high = max(high, cell(page, x, y, wide, caption, value, "answer"))
            x += wide
        y += high + size * r.uniform(0.3, 1)
    return page.settle()


GRAMMARS = [(boxed_invoice, 3), (utility_bill, 2.5), (folio, 1), (two_pages, 1.2), (payslip, 0.6), (customs_form, 1)]
