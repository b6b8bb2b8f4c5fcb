"""What stands on pages: companies, people, addresses, numbers, goods, sums."""
from page import TEXT, VOCAB, cased

TAX_NUMBERS = [
    "GB#########", "DE#########", "FR##########A", "ATU########", "ES@########", "IT###########", "NL#########B##", "PL##########",
    "SE##########01", "DK########", "BE##########", "CZ########", "HU########", "RO########", "FI########", "NO#########MVA",
    "CHE-###.###.###", "##-#######", "###.###.###-##", "##.###.###/####-##", "##@@@@@####@#@#", "### ### ###", "EL#########", "IE#######@@",
    "PT#########", "LU########", "HR###########", "@########", "########-#-##", "###-##-##-###", "## ### ### ###", "#########",
]
NUMBERS = [
    "####", "#####", "######", "INV-####", "INV-#####", "INV####", "####/####", "20##-####", "20##/###", "RE-#####", "R####", "F-20##-###",
    "FA ##/##/20##", "@@-#####", "A-####", "##/##", "#######", "########", "@####", "20##@###", "##-###-##", "FV/##/##/####", "#####-##",
    "IN-######", "@@@/####/##", "##########", "#", "##", "###", "20######", "@@@@-####-####", "SI-#######", "#-####-####", "FS ##/####",
]
IBANS = [
    "DE####################", "GB##@@@@##############", "FR##########@###########", "NL##@@@@##########", "ES######################",
    "IT##@##########@##########", "AT##################", "PL##########################", "CH###################", "SE######################",
    "DK################", "NO#############", "FI################", "CZ######################", "BE##############", "PT#######################",
]


def pick_case(r):
    return r.choice([0, 0, 1, 2, 3])


def company(page):
    r, names = page.r, page.names
    forms = VOCAB[page.language].get("legal_form") or VOCAB["en"]["legal_form"]
    trades = VOCAB[page.language].get("business") or VOCAB["en"]["business"]
    chance, last = r.random(), r.choice(names["last"])
    if chance < 0.2:
        text = r.choice(names["company"])
    elif chance < 0.42:
        text = f"{last} {cased(r.choice([0, 3, 2]), r.choice(trades))}"
    elif chance < 0.58:
        text = f"{cased(0, r.choice(trades))} {last}"
    elif chance < 0.67:
        text = f"{last} & {r.choice(names['last'])}"
    elif chance < 0.77:
        text = "".join(r.choice(["ka", "ro", "ti", "ne", "lu", "so", "vi", "ma", "del", "tra", "nor", "pex", "qui", "zen", "al", "ber", "dor", "fin", "gal"]) for _ in range(r.randint(2, 4))).title()
    elif chance < 0.86:
        text = " ".join(w.title() for w in page.sentence(60).split(" ")[: r.randint(1, 3)]).strip('.,?!"') or last
    elif chance < 0.94:
        text = f"{r.choice(names['city'])} {cased(0, r.choice(trades))}"
    else:
        text = r.fill("@@@") + " " + cased(0, r.choice(trades))
    if r.p(0.6):
        text += r.choice([" ", " ", ", "]) + cased(r.choice([0, 0, 1, 3]), r.choice(forms))
    return text.upper() if r.p(0.18) else text


def person(page):
    r = page.r
    name = f"{r.choice(page.names['first'])} {r.choice(page.names['last'])}"
    return r.choice(["Dr. ", "Ing. ", "Mr ", "Frau ", "Mme "]) + name if r.p(0.06) else name


def address(page, country=0.3):
    """Lines of an address."""
    r, names = page.r, page.names
    street = r.choice(names["street"] or ["Main St 1"])
    if r.p(0.4):
        word = cased(0, r.choice(VOCAB[page.language].get("street") or VOCAB["en"]["street"]))
        house = str(r.randint(1, 250)) + r.choice(["", "", "", "a", "-" + str(r.randint(2, 9)), "/" + str(r.randint(1, 20))])
        last = r.choice(names["last"])
        street = r.choice([f"{house} {last} {word}", f"{last} {word} {house}", f"{word} {last} {house}", f"{word} {last}, {house}"])
    postcode, city = r.choice(names["zip"] or ["12345"]), r.choice(names["city"])
    state = r.choice(names["state"] or [""])
    town = r.choice([f"{postcode} {city}", f"{city} {postcode}", f"{city}, {state} {postcode}", f"{postcode} {city}", f"{city}, {postcode}", f"{postcode} - {city}", f"{city} - {state}"])
    lines = [street, town]
    if r.p(0.12):
        lines.insert(0, r.choice(["Unit ", "Suite ", "Floor ", "Apt ", "2nd Floor, ", "Building ", "PO Box ", "Lot "]) + str(r.randint(1, 99)))
    if r.p(0.12):
        lines.insert(1, r.choice(names["city"]))
    if r.p(country):
        lines.append(cased(r.choice([0, 1]), page.phrase("country", "France")))
    return [", ".join(lines)] if r.p(0.1) else lines


def tax_number(page):
    text = page.r.fill(page.r.choice(TAX_NUMBERS))
    return text[:2] + " " + text[2:] if page.r.p(0.15) else text


def number(page):
    return page.r.fill(page.r.choice(NUMBERS))


def iban(page):
    text = page.r.fill(page.r.choice(IBANS))
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4)) if page.r.p(0.6) else text


def bic(page):
    return page.r.fill(page.r.choice(["@@@@@@##", "@@@@@@@@", "@@@@@@##XXX", "@@@@@@2@"]))


def phone(page):
    return page.r.choice(page.names["phone"] or ["0123 456789"])


def email(page):
    r = page.r
    name = "".join(c for c in r.choice(page.names["last"]).lower() if c.isalnum())
    return f"{r.choice(['info', 'office', 'billing', name])}@{name}{r.choice(['.com', '.de', '.eu', '.net', '.co.uk', '.fr', '.io'])}"


def website(page):
    name = "".join(c for c in page.r.choice(page.names["last"]).lower() if c.isalnum())
    return page.r.choice(["www.", "www.", "https://", ""]) + name + page.r.choice([".com", ".de", ".eu", ".net", ".nl"])


def bank(page):
    r = page.r
    word = r.choice(VOCAB[page.language].get("bank_word") or VOCAB["en"].get("bank_word") or ["Bank"])
    return r.choice([f"{r.choice(page.names['last'])} {cased(0, word)}", f"{cased(0, word)} {r.choice(page.names['city'])}", f"{r.choice(page.names['city'])} Bank", r.fill("@@@") + " Bank"])


def product(page):
    r, chance = page.r, page.r.random()
    goods = page.names["product"]
    trades = VOCAB[page.language].get("business") or VOCAB["en"]["business"]
    if chance < 0.3:
        text = r.choice(goods or ["Item"])
    elif chance < 0.75:
        text = " ".join(page.sentence(90).split(" ")[: r.randint(1, 7)]).strip('.,?!"')
    elif chance < 0.85:
        text = r.choice(goods or ["Item"]) + " " + r.fill(r.choice(["@-##", "##x##", "###", "#L", "###g", "## cm", "@@##", "#.# mm", "(##)"]))
    else:
        text = cased(0, r.choice(trades)) + " " + " ".join(page.sentence(50).split(" ")[:3]).strip('.,?!"')
    return text or "Item"


class Sums:
    """The goods of a document and what they come to. What is printed adds up, as it does on real pages."""

    def __init__(self, page, count=None, *, gross=False, rates=None, discount=0.1, shipping=0.12):
        r, d, scale = page.r, page.decimals, page.scale
        count = count or r.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 16, 22])
        self.items = []
        for _ in range(count):
            quantity = r.choice([1, 1, 1, 2, 3, 4, 5, 10, r.randint(1, 60), round(r.uniform(0.25, 12), r.choice([1, 2]))])
            price = round(r.choice([r.uniform(0.5, 20), r.uniform(5, 200), r.uniform(50, 3000)]) * scale, d)
            self.items.append((quantity, price, round(quantity * price, d)))
        self.items_sum = round(sum(item[2] for item in self.items), d)
        self.discount = round(self.items_sum * r.choice([0.05, 0.1, 0.02, 0.15]), d) if r.p(discount) else 0
        self.shipping = round(r.uniform(3, 40) * scale, d) if r.p(shipping) else 0
        base = round(self.items_sum - self.discount + self.shipping, d)
        rates = rates or r.choice([[20], [19], [21], [25], [10], [7], [5.5], [22], [23], [8.1], [18], [24], [0], [20, 5.5], [19, 7], [21, 9], [25, 12], [9, 9], [15], [13], [27], [16]])
        shares = [1.0] if len(rates) == 1 else [r.uniform(0.2, 0.8)]
        if len(rates) == 2:
            shares = [1.0, 1.0] if rates[0] == rates[1] else shares + [1 - shares[0]]
        #: (rate, base, tax) of each rate
        self.parts = []
        for rate, share in zip(rates, shares):
            part = round(base * share, d)
            tax = round(part * rate / (100 + rate) if gross else part * rate / 100, d)
            self.parts.append((rate, round(part - tax, d) if gross else part, tax))
        self.tax = round(sum(part[2] for part in self.parts), d)
        self.net = round(base - self.tax, d) if gross else base
        self.total = base if gross else round(base + self.tax, d)


def quantity(page, value):
    r = page.r
    text = f"{value:g}" if r.p(0.75) else f"{value:.{r.choice([1, 2, 2, 3])}f}"
    return text.replace(".", page.decimal)


def rate(page, value):
    return f"{value:g}{page.r.choice(['%', ' %', '%', ''])}".replace(".", page.decimal)
