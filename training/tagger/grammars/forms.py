"""Forms, letters, contracts and other papers (author: first)."""
import content
import parts
from page import Page


def answer(page):
    r = page.r
    return r.choice([
        content.person(page), page.date(), content.number(page), ", ".join(content.address(page)), page.sentence(30), content.phone(page),
        page.money(r.uniform(1, 9000)), r.choice(["Yes", "No", "X", "Ja", "Oui", "Si"]), content.email(page), content.company(page),
    ])


QUESTIONS = ["form_key", "form_key", "form_key", "party.name", "party.address", "contact", "issue_date", "vat_id", "other_number", "statement.account_number", "delivery_date"]


def ticks(page, x, y, width):
    r = page.r
    on, off = r.choice([("☒", "☐"), ("☑", "☐"), ("[x]", "[ ]"), ("[X]", "[_]"), ("■", "□"), ("X", "○"), ("(x)", "( )"), ("✓", "□")])
    question = page.put(x, y, page.caption("form_key") + ":", "caption") if r.p(0.6) else None
    at = question.right + page.size if question else x
    for _ in range(r.randint(2, 4)):
        option = page.sentence(22).strip(".,")
        mark = on if r.p(0.35) else off
        if r.p(0.8):
            box = page.put(at, y, mark.replace(" ", ""), "tick", under=question)
            at = page.put(box.right + page.size * 0.4, y, option, "option").right + page.size * 1.5
        else:
            name = page.put(at, y, option, "option")
            at = page.put(name.right + page.size * 0.4, y, mark.replace(" ", ""), "tick", under=name).right + page.size * 1.5
        if at > x + width * 0.8:
            at, y = x + page.size, y + page.size * page.leading
    return y + page.size * page.leading * 1.3


def form(r):
    page = Page(r)
    page.kind = "form"
    size, margin = page.size, r.uniform(40, 120)
    width, y, step = 1000 - 2 * margin, r.uniform(30, 120), page.size * page.leading
    centred = r.p(0.5)
    y = page.put(500 if centred else margin, y, page.caption(r.choice(["title.form", "title.form", "title.document"]), "Form"), "title", size=size * r.uniform(1.2, 2.2), bold=True, align="c" if centred else "l").bottom + size
    while y < page.height - size * 6 and len(page.words) < 330:
        chance = r.random()
        if chance < 0.18:
            y = page.put(margin, y, page.caption(r.choice(["section_end", "address_title", "party.buyer", "title.form"])), "heading", size=size * 1.1, bold=True).bottom + size * 0.4
        elif chance < 0.32:
            y = page.put(margin, y, " ".join(page.sentence() for _ in range(r.randint(1, 4))), size=size * 0.9, width=width).bottom + size * 0.6
        elif chance < 0.42:
            count, rows = r.randint(2, 4), r.randint(2, 5)
            heads = [page.put(margin + i * width / count, y, page.caption(r.choice(["column.description", "column.quantity", "column.date", "column.total"])), "heading", bold=True) for i in range(count)]
            for index in range(rows):
                y += step * 1.2
                for i in range(count):
                    page.put(margin + i * width / count, y, r.choice([content.product(page)[:18], str(r.randint(1, 99)), page.money(r.uniform(1, 900))]), None, row=1000 + index, under=heads[i])
            y += step * 1.5
        elif chance < 0.52:
            y = ticks(page, margin, y, width)
        else:
            count = r.choice([1, 1, 2, 2, 3])
            column, style = width / count, r.choice(["inline", "inline", "beside", "under", "above"])
            bottom = y
            for i in range(count):
                caption, value, x = page.caption(r.choice(QUESTIONS)), answer(page) if not r.p(0.13) else "", margin + i * column
                if not value:
                    bottom = max(bottom, page.put(x, y, caption + r.choice([":", "", ": ____"]), "caption", width=column * 0.9).bottom)
                elif style == "above":
                    ink = page.put(x, y, value, "answer", width=column * 0.9)
                    name = page.put(x, ink.bottom, caption, "caption", size=size * 0.75)
                    for word in page.words[ink.first : ink.last]:
                        word.under = name.first
                    bottom = max(bottom, name.bottom)
                else:
                    bottom = max(bottom, page.pair(x, y, caption, value, "answer", style=style, gap=column * 0.45, width=column * 0.92, bold=r.p(0.4)).bottom)
            y = bottom + step * r.choice([0.2, 0.6, 1.2])
    return page.settle()


def letter(r):
    page = Page(r)
    page.kind = r.choice(["letter", "letter", "contract", "document", "payslip", "supplier_statement"])
    size, margin = page.size, r.uniform(70, 130)
    width, y = 1000 - 2 * margin, r.uniform(40, 90)
    name, lines = content.company(page), content.address(page)
    if r.p(0.8):
        y = parts.party(page, margin, y, width, "seller", name=name, lines=lines, align=r.choice("llrc")) + size
    y = parts.party(page, margin, y, width / 2, "buyer") + size if r.p(0.7) else y
    day = page.line(margin + (width if r.p(0.5) else 0), y, [(r.choice(page.names["city"]) + "," if r.p(0.4) else "", None), (page.date(), "issue_date")], align="r" if r.p(0.4) else "l")
    y = day.bottom + size
    title = {"contract": "title.contract", "payslip": "title.payslip", "supplier_statement": "title.supplier_statement"}.get(page.kind)
    if title or r.p(0.5):
        y = page.put(margin, y, page.caption(title) if title else page.sentence(60), "title" if title else None, size=size * r.uniform(1, 1.6), bold=True).bottom + size
    for caption, value, tag in parts.header_fields(page, number="reference", due=0.1, order=0.05)[: r.randint(0, 4)]:
        y = page.pair(margin, y, caption, value, tag if tag != "issue_date" else None).bottom
    if r.p(0.7):
        y = page.put(margin, y + size * 0.5, page.phrase("salutation", "Dear Sir or Madam") + ",", None).bottom + size * 0.5
    if page.kind in ("payslip", "supplier_statement") or r.p(0.15):
        for _ in range(r.randint(3, 12)):
            page.put(margin, y, page.caption("form_key") if page.kind == "payslip" else f"{page.date()} {content.number(page)}", "caption" if page.kind == "payslip" else None)
            page.put(margin + width, y, page.money(r.uniform(5, 4000)), "answer" if page.kind == "payslip" else None, align="r")
            y += size * page.leading
    for _ in range(r.randint(1, 6)):
        text = " ".join(page.sentence() for _ in range(r.randint(1, 7)))
        if r.p(0.2):
            text += " " + page.money(r.uniform(5, 5000)) + " " + page.sentence(40) + " " + page.date()
        y = page.put(margin, y, text, width=width).bottom + size * 0.8
        if y > page.height - size * 10:
            break
    if r.p(0.7):
        y = page.put(margin, y + size, page.phrase("closing", "Sincerely"), None).bottom + size * 2
        page.put(margin, y, content.person(page))
    if r.p(0.3):
        parts.letterhead_foot(page, name, lines)
    return page.settle()


GRAMMARS = [(form, 2.5), (letter, 2)]
