"""Slips of shops and restaurants with long heads and many sums, as tills in Asia, America and Britain print them (author: first)."""
import content
from page import Page


def long_address(page):
    """Lots, storeys, estates and sections over several lines that end in commas."""
    r = page.r
    last = lambda: r.choice(page.names["last"])
    roads = ["Jalan", "Jln", "Lorong", "Lebuh", "Persiaran", "Road", "Street", "Avenue", "Lane", "Blvd", "Highway", "Calle", "Rua", "Strasse", "Via", "Rue"]
    road = r.choice(roads)
    number = r.choice(["No. ", "No.", "Lot ", "LOT ", "Unit ", "", "", "PT", "#"]) + r.fill(r.choice(["##", "###", "##-#", "#-#-#", "##G", "####", "##&##G", "@##", "##-@"]))
    name = r.choice([f"{road} {last()} {r.choice(['', r.fill('#/##@'), r.fill('##'), r.fill('@@##/#'), '(X) ' + r.fill('@##/@')])}", f"{last()} {road}", f"{road} {last()} {last()}"]).strip()
    estates = ["Taman", "Seksyen", "Section", "Kampung", "Kg.", "Kawasan Perindustrian", "Plaza", "Bandar", "Desa", "Mall", "Centre", "Business Park", "Level 2,", "Ground Floor,", "Industrial Estate", "Shopping Complex", "Terminal", "Suite 100,"]
    parts = [f"{number}, {name}" if r.p(0.7) else f"{number} {name}"]
    for _ in range(r.choice([0, 1, 1, 2])):
        estate = r.choice(estates)
        parts.append(r.choice([f"{estate} {last()}", f"{last()} {estate}", f"{estate} {r.fill('@#')}", f"{estate} {last()} {last()}"]))
    city = r.choice(page.names["city"])
    postcode = r.choice([r.fill("#####"), r.fill("#####"), r.choice(page.names["zip"] or ["12345"])])
    parts.append(r.choice([f"{postcode} {city}", f"{city} {postcode}", f"{postcode},{city}", city]))
    if r.p(0.6):
        parts.append(r.choice(["Selangor", "Selangor Darul Ehsan", "Johor", "Penang", "Kuala Lumpur", "CA", "NY", "TX", r.choice(page.names["state"] or [city])]) + r.choice(["", ".", ", Malaysia", ""]))
    lines, text = [], ""
    for part in parts:
        if text and (len(text) + len(part) > r.randint(18, 46)):
            lines.append(text + r.choice([",", ",", "", " ,"]))
            text = part
        else:
            text = f"{text}{r.choice([', ', ', ', ',', ' '])}{part}" if text else part
    lines.append(text + r.choice(["", ".", ""]))
    return lines


def till(r):
    page = Page(r, 400, language=r.choices(["en", "id", "es", "pt", "de", "fr", None], [8, 2, 1, 1, 1, 1, 2])[0], size=r.uniform(24, 40))
    page.kind = "receipt"
    page.letter = r.uniform(0.48, 0.62)
    if page.language in ("en", "id") and r.p(0.6):
        page.currency, page.currency_place, page.decimal, page.thousands, page.decimals, page.scale = r.choice(["RM", "$", "£", "S$", "USD"]), r.choice(["none", "none", "before", "before_space"]), ".", ",", 2, 1
    size, margin = page.size, r.uniform(25, 110)
    width, right, y, step = 1000 - 2 * margin, 1000 - margin, r.uniform(20, 100), page.size * page.leading
    align = r.choice("cccl")
    at = 500 if align == "c" else margin
    shout = (lambda t: t.upper()) if r.p(0.55) else (lambda t: t)
    put = lambda text, tag=None, **style: page.put(at, y, text, tag, align=align, width=width, **style).bottom

    company = content.company(page)
    if r.p(0.5):
        company = company.rstrip(".") + " " + r.choice(["Sdn Bhd", "Sdn. Bhd.", "S/B", "Enterprise", "Trading", "(M) Sdn Bhd", "Pte Ltd", "Inc.", "LLC", "Ltd", "Restaurant", "Bakery", "Hardware & Timber Sdn. Bhd."])
    if r.p(0.3):
        # The sign over the shop, which is not who sells.
        y = put(shout(r.choice([page.sentence(22).strip(".,"), r.choice(page.names["last"]), r.fill("@@@") + " MART", r.choice(page.names["last"]) + "'s"])), None, size=size * r.choice([1, 1.6, 2.2]), bold=r.p(0.5))
        if r.p(0.4):
            y = put(r.choice(["(", ""]) + r.choice(page.names["city"]) + r.choice([" Outlet", " Branch", " Store", ")"]))
    name = page.put(at, y, shout(company), "seller_name", align=align, width=width, size=size * r.choice([1, 1, 1.25]), bold=r.p(0.4))
    y = name.bottom
    register = r.choice(["({})", "({})", "Co. Reg. No: {}", "(Co No. {})", "Reg No: {}", "ROC NO: {}", "Company No : {}", "(Formerly known as {})"])
    if r.p(0.6):
        number = r.fill(r.choice(["######-@", "#########@@", "####-@", "#######-@", "JM#######-@"]))
        if r.p(0.25):
            page.put(name.right + size * 0.3, name.top, register.format(number).split()[-1], "seller_register")
        else:
            y = put(register.format(number), "seller_register")
    if r.p(0.93):
        y = page.block(at, y, [shout(line) for line in long_address(page)], "seller_address", align=align, width=width).bottom
    for _ in range(r.choice([0, 1, 1, 2])):
        caption = r.choice(["Tel", "TEL NO", "Tel:", "Phone:", "Fax", "H/P", page.phrase("contact", "Tel")])
        parts = [(caption + page.colon, "caption"), (content.phone(page), "seller_contact")]
        if r.p(0.3):
            parts += [(r.choice(["Fax:", "Fax"]), "caption"), (content.phone(page), "seller_contact")]
        y = page.line(at, y, parts, align=align).bottom
    if r.p(0.6):
        y = page.line(at, y, [(r.choice(["GST ID :", "GST Reg No:", "GST No.", "SST ID:", "VAT No:", "TIN", "ABN"]), "caption"), (r.fill(r.choice(["############", "### ### ### ###", "###-##-######"])), "seller_tax")], align=align).bottom
    if r.p(0.2):
        y = put(content.website(page) if r.p(0.5) else content.email(page), "seller_contact")
    if r.p(0.55):
        title = r.choice(["TAX INVOICE", "Tax Invoice", "INVOICE", "RECEIPT", "CASH SALES", "SIMPLIFIED TAX INVOICE", "Cash Bill", "SALES RECEIPT", page.phrase("title.receipt", "Receipt"), "** DUPLICATE **"])
        y = put(title, "title", bold=r.p(0.4), size=size * r.choice([1, 1.2])) + size * 0.3
    if r.p(0.25):
        y = page.line(margin, y, [(r.choice(["Bill To", "Customer", "Sold to", "M/S"]) + ":", "caption"), (r.choice([content.company(page), content.person(page), "CASH"]), "buyer_name")]).bottom
    clock = f"{r.randint(1, 23):02d}:{r.randint(0, 59):02d}" + r.choice(["", f":{r.randint(0, 59):02d}", " PM", " AM"])
    day = page.date(style=r.choice([0, 1, 1, 3, 4, 5, 6, 8, 8, 10, page.date_style]))
    facts = [([(r.choice(["Date", "DATE", "Bill Date", "Invoice Date", "Date:", page.phrase("issue_date")]) + page.colon, "caption"), (day, "issue_date"), (clock if r.p(0.6) else "", None)])]
    if r.p(0.2):
        facts[0] = [(day, "issue_date"), (clock, None), (r.choice([r.fill("#####"), ""]), "reference")]
    facts += [[(c + page.colon, "caption"), (v, t)] for c, v, t in (
        (r.choice(["Invoice No", "Receipt #", "Bill No.", "Doc No.", "Slip No", "INV NO"]), content.number(page), "number"),
        (r.choice(["Cashier", "Staff", "Server", "Salesperson", "User"]), r.choice([r.choice(page.names["first"]), r.fill("###")]), "reference"),
        (r.choice(["Table", "Counter", "Terminal", "POS", "Pax", "Till", "Station"]), r.fill(r.choice(["#", "##", "T#"])), "reference"),
        (r.choice(["Member", "Card No", "Ref", "Trans", "Approval Code"]), r.fill("########"), "reference"),
        (r.choice(["Valid until", "Printed on", "Expiry", "Return by"]), page.date(), None),
    ) if r.p(0.45)]
    r.shuffle(facts)
    late = facts.pop() if r.p(0.2) else None
    two = r.p(0.25)
    for index, fact in enumerate(facts):
        if two and index % 2:
            page.line(right, y - step, fact, align="r")
        else:
            y = page.line(margin, y, fact).bottom
    rule = lambda: page.put(margin, y, r.choice("-=_*") * r.randint(12, 28)).bottom if r.p(0.4) else y + size * 0.3
    y = rule()
    sums = content.Sums(page, r.choice([1, 1, 2, 3, 3, 5, 8, 12]), gross=True, rates=[r.choice([6, 6, 10, 20, 8, 0, 5])], shipping=0, discount=0)
    style = r.randint(0, 4)
    if r.p(0.5):
        page.line(margin, y, [(r.choice(["Item", "Description", "Desc", "Product"]), "heading"), (r.choice(["Qty", "QTY", "Quantity"]), "heading"), (r.choice(["Price", "U.Price", "RSP"]), "heading")], gap=3)
        page.put(right, y, r.choice(["Amount", "Total", "Amt(RM)", "Total (RM)", "Tax"]), "heading", align="r")
        y = rule() + step * 0.6
    whole, count = 0, 0
    for index, (_, price, _) in enumerate(sums.items):
        row, amount = index + 1, r.choice([1, 1, 1, 2, 3, 4, 6, 12])
        total = round(price * amount, page.decimals)
        whole, count = round(whole + total, page.decimals), count + amount
        code = r.fill(r.choice(["#############", "########", "####", "@####"]))
        mark = r.choice(["", "", " SR", " T", " *S", " Z"])
        text = content.product(page)[:36]
        if style == 0:
            y = page.put(margin, y, shout(text), "item_text", row=row).bottom
            page.line(margin + size, y, [(code if r.p(0.5) else "", "item_code"), (str(amount), "item_quantity"), (r.choice(["x", "X", "@", "PCS X", "UNIT x"]), None), (page.plain(price), "item_price")], row=row)
        elif style == 1:
            y = page.line(margin, y, [(code, "item_code"), (shout(text), "item_text")], row=row).bottom
            page.put(margin + width * 0.3, y, str(amount) if r.p(0.6) else f"{amount:.2f}", "item_quantity", row=row)
            page.put(margin + width * 0.62, y, page.plain(price), "item_price", row=row, align="r")
        elif style == 2:
            page.line(margin, y, [(str(amount), "item_quantity"), (shout(text[:22]), "item_text")], row=row)
        elif style == 3:
            page.put(margin, y, shout(text[:20]), "item_text", row=row)
            page.put(margin + width * 0.62, y, str(amount), "item_quantity", row=row, align="r")
        else:
            page.line(margin, y, [(f"{index + 1}." if r.p(0.4) else "", "item_position"), (shout(text[:24]), "item_text")], row=row)
        page.put(right, y, page.plain(total) + mark, "item_total", row=row, align="r")
        y += step
        if r.p(0.06):
            page.put(margin + size, y, r.choice(["Discount", "Less", "Promo", "Disc 10%"]), None)
            page.put(right, y, "-" + page.plain(price * 0.1), None, align="r")
            y += step
    y = rule()
    if r.p(0.35):
        y = page.line(margin, y, [(r.choice(["Total Qty", "Item Count", "No. of items", "Total Item(s)", "Qty"]) + page.colon, "caption"), (str(count), None)]).bottom
    rate = sums.parts[0][0]
    tax = round(whole * rate / (100 + rate), page.decimals)
    net = round(whole - tax, page.decimals)
    added = r.p(0.25)
    if added:
        net, tax = whole, round(whole * rate / 100, page.decimals)
    service = round(net * 0.1, page.decimals) if r.p(0.15) else 0
    raw = round(net + tax + service, page.decimals)
    rounding = round(round(raw * 20) / 20 - raw, 2) if page.decimals == 2 and r.p(0.45) else 0
    total = round(raw + rounding, page.decimals)
    rows = []
    if r.p(0.7):
        rows.append((r.choice(["Sub Total", "SUBTOTAL", "Sub-Total", "Total Amount", "Total Sales", page.phrase("net_total")]), whole, "items_sum"))
    if r.p(0.3):
        rows.append((r.choice(["Total Excl. Tax", "Total Exclude GST", "Amount before tax", "Taxable"]), net, "net"))
    if r.p(0.3):
        rows.append((r.choice(["Discount", "Total Discount", "Savings"]), 0, "discount"))
    if service:
        rows.append((r.choice(["Service Charge 10%", "Svc Chg", "Service"]), service, None))
    if added or r.p(0.5):
        rows.append((r.choice([f"GST {rate}%", f"Tax {rate}%", "Total GST", "Sales Tax", f"SST @ {rate}%", "GST Payable", page.phrase("tax_total")]), tax, "tax"))
    if r.p(0.3):
        rows.append((r.choice(["Total Inclusive of GST", "Total Sales (Inclusive of GST)", "Total Incl. Tax"]), raw, "total" if not rounding else None))
    if rounding or r.p(0.15):
        rows.append((r.choice(["Rounding", "Rounding Adj", "Round Amt", "Rounding Adjustment"]), rounding, "rounding"))
    rows.append((r.choice(["TOTAL", "Total", "Grand Total", "Nett Total", "Net Total", "Total Due", "AMOUNT DUE", "Total (RM)", page.phrase("grand_total")]), total, "total"))
    paid = round(total + r.choice([0, 0, 5 - total % 5, 10 - total % 10, 50 - total % 50]), page.decimals)
    rows.append((r.choice(["CASH", "Cash", "Paid", "Tendered", "VISA", "Mastercard", "Credit Card", "Amount Received", page.phrase("cash", "Cash")]), paid, "cash"))
    if paid != total or r.p(0.6):
        rows.append((r.choice(["CHANGE", "Change", "Balance", "Change Due", page.phrase("change", "Change")]), round(paid - total, page.decimals), "change"))
    for caption, value, tag in rows:
        large = r.choice([1.15, 1.4, 1.7]) if tag == "total" and r.p(0.35) else 1
        name = page.put(margin if r.p(0.75) else right - width * 0.3, y, caption + page.colon, "caption", size=size * large, bold=large > 1, align="l") if r.p(0.8) else page.put(right - width * 0.28, y, caption + page.colon, "caption", align="r")
        page.put(right, y, page.money(value), tag, size=size * large, bold=large > 1, align="r", under=name)
        y += step * large
    if r.p(0.45):
        y = rule()
        y = page.put(margin, y, r.choice(["GST Summary", "Tax Summary", "GST Analysis"]), "heading").bottom
        heads = [page.put(margin + width * share, y, text, "heading", align="l" if share == 0 else "r") for share, text in ((0, "Tax Code"), (0.6, r.choice(["Amount (RM)", "Taxable", "Goods"])), (1, r.choice(["Tax (RM)", "GST", "Tax"])))]
        y += step
        page.put(margin, y, r.choice(["SR @", "SR", "S", "ZRL", "T1"]) + f" {rate}%", None)
        page.put(margin + width * 0.6, y, page.plain(net), "tax_base", align="r", under=heads[1])
        page.put(right, y, page.plain(tax), "tax_part", align="r", under=heads[2])
        y += step * 1.3
    if late:
        y = page.line(margin, y, late).bottom
    for _ in range(r.choice([0, 1, 2, 4])):
        y = put(r.choice(["THANK YOU", "Thank you, please come again", "Goods sold are not returnable", "*** " + page.sentence(24) + " ***", page.sentence(40)]))
    page.height = 0
    return page.settle()


GRAMMARS = [(till, 5)]
