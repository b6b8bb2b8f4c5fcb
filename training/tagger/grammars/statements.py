"""Statements of bank accounts and cards (author: first)."""
import content
from page import Page, VOCAB, cased


def statement(r):
    page = Page(r, size=r.uniform(11, 17))
    page.kind = "bank_statement"
    size, margin = page.size, r.uniform(40, 100)
    width, y, step = 1000 - 2 * margin, r.uniform(30, 80), page.size * page.leading
    page.put(margin, y, content.bank(page), "bank", size=size * r.choice([1, 1.5, 2.2]), bold=r.p(0.6))
    if r.p(0.6):
        page.put(margin + width, y, page.caption("title.bank_statement", "Statement"), "title", size=size * 1.5, bold=r.p(0.5), align="r")
    y += size * 3
    top = y
    y = page.put(margin, y, content.person(page) if r.p(0.6) else content.company(page), "holder").bottom
    y = page.block(margin, y, content.address(page), "buyer_address").bottom
    account = (content.iban(page), "iban") if r.p(0.5) else (r.fill(r.choice(["########", "##-##-## ########", "### ### ###", "##########", "XXXX####", "**** **** **** ####"])), "account")
    year, month = r.randint(2010, 2026), r.randint(1, 12)
    start, end = page.date((year, month, 1)), page.date((year, month, r.choice([28, 30, 31])))
    opening = round(r.uniform(-500, 9000) * page.scale, page.decimals)
    card = r.p(0.15)
    moves, balance = [], opening
    for _ in range(r.randint(2, 26)):
        value = round(r.choice([-1, -1, -1, 1]) * r.choice([r.uniform(2, 90), r.uniform(20, 2000)]) * page.scale, page.decimals)
        balance = round(balance + value, page.decimals)
        moves.append((value, balance))
    newest_first = r.p(0.25)
    fields = [(page.caption("statement.account_number"), [account])]
    if r.p(0.8):
        fields.append((page.caption("statement.period"), [(start, "period_start"), (r.choice(["-", "–", "to", "bis", "au", "al"]), None), (end, "period_end")]))
    boxed = r.p(0.55)
    if boxed:
        fields += [(page.caption("statement.opening_balance"), [(page.money(opening), "opening")]), (page.caption("statement.closing_balance"), [(page.money(balance), "closing")])]
        if r.p(0.3):
            fields.insert(-1, (page.caption("statement.sum", "Total debits"), [(page.money(sum(-v for v, _ in moves if v < 0)), None)]))
    x, at = margin + width * 0.5, top
    for caption, parts in fields:
        if r.p(0.5):
            name = page.put(x, at, caption + (page.colon or ":"), "caption")
            for text, tag in parts:
                ink = page.put(name.right + size * 0.3, at, text, tag, under=name)
                name.right = ink.right
        else:
            name = page.put(x, at, caption + page.colon, "caption", width=width * 0.25)
            if len(parts) == 1:
                page.put(margin + width, at, parts[0][0], parts[0][1], align="r", under=name)
            else:
                page.line(margin + width, at, parts, align="r", under=name)
        at += step * 1.15
    y = max(y, at) + size * 2
    columns = ["date"] + (["valuta"] if r.p(0.2) else []) + ["text"] + (["debit", "credit"] if r.p(0.5) else ["amount"]) + (["balance"] if r.p(0.7) else [])
    if "debit" in columns and r.p(0.2):
        i = columns.index("debit")
        columns[i], columns[i + 1] = "credit", "debit"
    weights = [3.2 if c == "text" else 1 for c in columns]
    places, left = {}, margin
    for column, weight in zip(columns, weights):
        places[column] = (left, weight * width / sum(weights))
        left += weight * width / sum(weights)
    is_text = lambda c: c in ("date", "valuta", "text")
    edge = lambda c: places[c][0] if is_text(c) else places[c][0] + places[c][1] - 4
    meanings = {"date": "movement.date", "valuta": "movement.date", "text": "movement.description", "debit": "movement.debit", "credit": "movement.credit", "amount": "movement.amount", "balance": "movement.balance"}
    heads = {}
    if r.p(0.92):
        bold = r.p(0.5)
        heads = {c: page.put(edge(c), y, page.caption(meanings[c], c), "heading", bold=bold, align="l" if is_text(c) else "r") for c in columns}
        y += step * 1.5
    place = "none" if r.p(0.8) else page.currency_place
    carried = lambda meaning, value, tag: (page.put(places["text"][0], y, page.caption(meaning), "caption"), page.put(margin + width - 4, y, page.money(value, place), tag, align="r"))
    first, last = (("statement.closing_balance", balance, "closing"), ("statement.opening_balance", opening, "opening")) if newest_first else (("statement.opening_balance", opening, "opening"), ("statement.closing_balance", balance, "closing"))
    if not boxed or r.p(0.3):
        carried(*first[:2], first[2] if not boxed else None)
        y += step * 1.1
    date_style, sign = r.choice([page.date_style, 12, 13]), r.choice(["minus", "minus", "behind", "letters", "plus"])
    order = list(enumerate(moves))
    for index, (value, after) in order[::-1] if newest_first else order:
        day, bottom, row = min(28, 1 + index * 28 // len(moves)), y + step, index + 1
        if date_style < 12:
            shown = page.date((year, month, day), date_style)
        else:
            name = cased(0, r.choice(VOCAB[page.language].get(f"month.{month}") or VOCAB["en"][f"month.{month}"]))[:3]
            shown = f"{day:02d}.{month:02d}." if date_style == 12 else f"{day:02d} {name}"
        for column in columns:
            style = {"row": row, "under": heads.get(column)}
            if column == "date":
                page.put(edge(column), y, shown, "move_date", **style)
            elif column == "valuta":
                page.put(edge(column), y, shown, "move_valuta", **style)
            elif column == "text":
                word = r.choice(["CARD PAYMENT", "SEPA", "DIRECT DEBIT", "VIREMENT", "POS", "ATM", "Lastschrift", "Overschrijving", "Transfer", "Przelew", "Kartenzahlung"])
                text = r.choice([content.company(page).upper(), page.sentence(45), content.person(page) + " " + content.number(page), f"{word} {content.company(page)}"])
                ink = page.put(edge(column), y, text, "move_text", width=places[column][1] * 0.95, **style)
                if r.p(0.15):
                    ink = page.put(edge(column), ink.bottom, content.number(page) + " " + content.person(page), "move_text", size=size * 0.9, row=row, goes_on=True)
                bottom = max(bottom, ink.bottom)
            elif column == "debit" and value < 0:
                page.put(edge(column), y, page.money(-value, place), "move_debit", align="r", **style)
            elif column == "credit" and value >= 0:
                page.put(edge(column), y, page.money(value, place), "move_credit", align="r", **style)
            elif column == "amount":
                is_debit = value < 0
                text, minus = page.money(abs(value), place), is_debit != card
                text = (f"-{text}" if minus else ("+" + text if sign == "plus" else text)) if sign in ("minus", "plus") else (text + "-" if minus else text) if sign == "behind" else text + r.choice([" D", " DR", " S"] if is_debit else [" C", " CR", " H"])[:3]
                page.put(edge(column), y, text, "move_debit" if is_debit else "move_credit", align="r", **style)
            elif column == "balance" and r.p(0.97):
                page.put(edge(column), y, page.money(after, place), "move_balance", align="r", **style)
        y = bottom * r.choice([1, 1]) + r.choice([0, size * 0.05])
        if y > page.height - size * 5:
            break
    if not boxed:
        carried(*last)
        y += step
    if r.p(0.4):
        page.put(margin, page.height - size * 2, page.sentence(), size=size * 0.8)
    if r.p(0.3):
        page.put(margin + width, page.height - size * 3.5, f"{page.phrase('page', 'Page')} 1/{r.randint(1, 5)}", "page_counter", size=size * 0.8, align="r")
    return page.settle()


GRAMMARS = [(statement, 4)]
