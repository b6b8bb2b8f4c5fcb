"""Slips of tills, on a roll or on a sheet (author: first)."""
import content
from page import Page


def slip(r):
    on_sheet = r.p(0.15)
    page = Page(r, 1414 if on_sheet else 500, size=None if on_sheet else r.uniform(26, 44))
    page.kind = "receipt"
    if not on_sheet:
        page.letter = r.uniform(0.5, 0.62)
    size, margin = page.size, r.uniform(60, 250) if on_sheet else r.uniform(20, 120)
    width, y, step = 1000 - 2 * margin, r.uniform(20, 120), size * page.leading
    align = r.choice("ccl")
    at = 500 if align == "c" else margin
    right = 1000 - margin
    put = lambda text, tag=None, **style: page.put(at, y, text, tag, align=align, width=width, **style).bottom
    shout = lambda text: text.upper() if r.p(0.4) else text

    if r.p(0.12):
        y = put(f"*** {page.phrase('title.receipt', 'Receipt')} ***", "title")
    if r.p(0.12):
        y = put(r.choice(page.names["first"]).upper(), None, size=size * 1.8, bold=True)
    if r.p(0.1):
        y = put(page.sentence(30))
    y = put(shout(content.company(page)), "seller_name", size=size * r.choice([1, 1, 1.3, 1.8]), bold=r.p(0.4))
    if r.p(0.3):
        y = put(r.choice(["(", "(Co. Reg: ", "", "REG NO ", "Co No. "]) + r.fill(r.choice(["######-@", "#########-@", "#####"])) + r.choice([")", ""]), "seller_register")
    lines = content.address(page, 0.1)
    if r.p(0.85):
        if r.p(0.35):
            y = put(", ".join(lines), "seller_address")
        else:
            y = page.block(at, y, [line.upper() if r.p(0.3) else line for line in lines], "seller_address", align=align, width=width).bottom
    if r.p(0.6):
        y = page.line(at, y, [(page.caption("contact", "Tel") + page.colon, "caption"), (content.phone(page), "seller_contact")], align=align).bottom
    if r.p(0.5):
        y = page.line(at, y, [(page.caption("vat_id", "VAT") + page.colon, "caption"), (content.tax_number(page), "seller_tax")], align=align).bottom
    if r.p(0.3):
        y = put(page.caption("title.receipt", "Receipt"), "title", size=size * 1.1, bold=r.p(0.5))
    y += size * r.uniform(0, 1.5)
    clock = f"{r.randint(7, 22):02d}:{r.randint(0, 59):02d}" + r.choice(["", f":{r.randint(0, 59):02d}"])

    def date_line(y):
        style, day = r.randint(0, 5), page.date()
        if style == 0:
            return page.line(margin, y, [(page.caption("issue_date") + page.colon, "caption"), (day, "issue_date"), (clock, None)]).bottom
        if style == 1:
            page.put(right, y, clock, None, align="r")
            return page.put(margin, y, day, "issue_date").bottom
        if style == 2:
            return page.line(margin, y, [(day, "issue_date"), (clock, None), (content.number(page), "reference")]).bottom
        if style == 3:
            page.put(right, y, day, "issue_date", align="r")
            return page.line(margin, y, [(page.caption("other_number") + page.colon, "caption"), (content.number(page), "number")]).bottom
        if style == 4:
            return page.line(margin, y, [(content.number(page), "reference"), (content.number(page), "reference"), (day, "issue_date"), (clock, None)]).bottom
        y = page.line(margin, y, [(page.caption("issue_date") + page.colon, "caption"), (day, "issue_date")]).bottom
        return page.line(margin, y, [(r.choice(["Time", "Zeit", "Heure", "Hora", "Tid", "Godz."]) + page.colon, "caption"), (clock, None)]).bottom

    def extra(y):
        caption = page.caption(r.choice(["other_number", "visit", "form_key"]), "Cashier")
        return page.line(margin, y, [(caption + page.colon, "caption"), (r.choice([content.number(page), content.person(page)]), "reference")]).bottom

    for _ in range(r.choice([0, 1, 2])):
        y = extra(y)
    date_at_foot = r.p(0.3)
    if not date_at_foot:
        y = date_line(y)
    if r.p(0.2):
        y = extra(y)
    y += size * r.uniform(0, 1)
    if r.p(0.2):
        y = page.put(margin, y, r.choice("-=*_") * r.randint(16, 30)).bottom
    sums = content.Sums(page, r.choice([1, 1, 2, 3, 4, 5, 7, 10, 15, 20]), gross=r.p(0.75), shipping=0)
    heads = {}
    if r.p(0.25):
        heads["text"] = page.put(margin, y, page.caption("column.description"), "heading")
        if r.p(0.5):
            heads["quantity"] = page.put(margin + width * 0.6, y, page.caption("column.quantity"), "heading", align="r")
        heads["total"] = page.put(right, y, page.caption("column.total"), "heading", align="r")
        y += step
    style, mark = r.randint(0, 8), r.choice(["", "", "", " A", " B", " T", " *"])
    page_sums = 0
    for index, (quantity, price, _) in enumerate(sums.items):
        row = index + 1
        name = content.product(page)[:34]
        name = name.upper() if r.p(0.4) else name
        count = quantity if isinstance(quantity, int) else r.randint(1, 4)
        total = round(count * price, page.decimals)
        page_sums = round(page_sums + total, page.decimals)
        shown = page.money(total, "none" if r.p(0.8) else None) + mark
        write = lambda x, text, tag, align="l": page.put(x, y, text, tag, row=row, align=align, under=heads.get(tag.split("_")[1]) if tag else None)
        parts = lambda x, several: page.line(x, y, several, row=row)
        if style == 0:
            parts(margin, [(str(count), "item_quantity"), (name, "item_text")])
        elif style == 1 or style == 6:
            write(margin, name, "item_text")
        elif style == 2:
            write(margin, name, "item_text")
            y += step
            parts(margin + size, [(str(count), "item_quantity"), (r.choice(["x", "X", "@", "*", "×"]), None), (page.money(price, "none"), "item_price")])
        elif style == 3:
            write(margin, name, "item_text")
            write(margin + width * 0.62, content.quantity(page, count), "item_quantity", "r")
            write(margin + width * 0.8, page.money(price, "none"), "item_price", "r")
        elif style == 4:
            parts(margin, [(str(count), "item_quantity"), ("x", None), (name, "item_text")])
        elif style == 5:
            parts(margin, [(r.fill("########"), "item_code"), (name, "item_text")])
            y += step
            write(margin + width * 0.3, str(count), "item_quantity", "r")
            write(margin + width * 0.6, page.money(price, "none"), "item_price", "r")
        elif style == 7:
            weight = f"{r.uniform(0.1, 3):.3f}".replace(".", page.decimal)
            parts(margin, [(weight, "item_quantity"), (r.choice(["kg", "Kg", "l"]), "item_unit"), ("x", None), (page.money(price, "none"), "item_price"), (r.choice(["€/kg", "/kg", ""]), None)])
            y += step
            write(margin, name, "item_text")
        else:
            write(margin, name, "item_text")
            if r.p(0.5):
                write(margin + width * 0.7, content.rate(page, sums.parts[0][0]), "item_rate", "r")
        write(right, shown, "item_total", "r")
        y += step
    y += size * r.uniform(0.2, 1.2)
    discount = round(page_sums * 0.05, page.decimals) if r.p(0.1) else 0
    rate = sums.parts[0][0]
    gross = r.p(0.75)
    tax = round((page_sums - discount) * rate / (100 + rate if gross else 100), page.decimals)
    total = round(page_sums - discount + (0 if gross else tax), page.decimals)

    def sum_row(caption, value, tag, big=1):
        nonlocal y
        name = page.put(margin if r.p(0.7) else margin + width * 0.3, y, caption + page.colon, "caption", size=size * big, bold=big > 1)
        page.put(right, y, page.money(value), tag, size=size * big, bold=big > 1, align="r", under=name)
        y += step * big

    if r.p(0.5):
        sum_row(page.caption("net_total"), page_sums, "items_sum")
    if discount:
        sum_row(page.caption("discount"), -discount, "discount")
    shows_tax, tax_first = r.p(0.6) or not gross, r.p(0.4) or not gross
    tax_caption = page.caption("tax_total") + r.choice(["", f" {rate:g}%"])
    if shows_tax and tax_first:
        sum_row(tax_caption, tax, "tax")
    if r.p(0.1):
        sum_row(page.caption("rounding", "Rounding"), round(r.uniform(-0.05, 0.05), 2), "rounding")
    sum_row(page.caption("grand_total"), total, "total", r.choice([1, 1, 1.3, 1.7]))
    if r.p(0.08):
        tip = round(total * r.choice([0.1, 0.15, 0.18]), page.decimals)
        sum_row(r.choice(["Tip", "Gratuity", "Pourboire", "Trinkgeld", "Propina", "Service"]), tip, "tip")
        sum_row(r.choice(["Total paid", "Charged", "Amount", page.caption("amount_due")]), round(total + tip, page.decimals), "due")
    if r.p(0.6):
        cash = round(total + r.choice([0, 0, r.uniform(0, 20) * page.scale]), page.decimals)
        sum_row(r.choice([page.caption("cash", "Cash"), "VISA", "Mastercard", "EC-Karte", "Carte bancaire", "Tarjeta"]), cash, "cash")
        if r.p(0.7):
            sum_row(page.caption("change", "Change"), round(cash - total, page.decimals), "change")
    if shows_tax and not tax_first:
        if r.p(0.5):
            sum_row(tax_caption, tax, "tax")
        else:
            y += size
            cells = [(content.rate(page, rate), "tax_rate"), (page.plain(total - tax), "tax_base"), (page.plain(tax), "tax_part"), (page.plain(total), None)]
            names = ["column.tax_rate", "net_total", "tax_total", "grand_total"]
            above = [page.put(margin + width * (0.15 + 0.27 * i), y, page.caption(n)[:8], "heading", align="r") for i, n in enumerate(names)] if r.p(0.6) else [None] * 4
            y += step
            for i, (text, tag) in enumerate(cells):
                page.put(margin + width * (0.15 + 0.27 * i), y, text, tag, align="r", under=above[i])
            y += step
    if date_at_foot:
        y = date_line(y)
    for _ in range(r.choice([0, 1, 2, 3])):
        y = put(page.sentence(40))
    page.height = 0
    return page.settle()


GRAMMARS = [(slip, 7)]
