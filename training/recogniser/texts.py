"""Lines as receipts, invoices and forms have them, in the languages of the word lists: made up, one at a time."""
import gzip
import random
import string

from characters import characters, same

_known = set(characters + " ")
_forms = ("GmbH", "AG", "e.K.", "GmbH & Co. KG", "SARL", "SAS", "S.A.", "SA", "Ltd", "Limited", "PLC", "LLC", "Inc.", "Corp.", "Co.", "S.L.",
          "S.r.l.", "S.p.A.", "B.V.", "N.V.", "Lda", "Sp. z o.o.", "s.r.o.", "a.s.", "Kft.", "Zrt.", "d.o.o.", "OÜ", "UAB", "SIA", "AB", "AS",
          "ApS", "Oy", "A.Ş.", "Ltd. Şti.", "S.R.L.", "Pty Ltd", "Sdn Bhd", "SDN. BHD.", "Enterprise", "Trading", "(M) Sdn Bhd", "Pvt. Ltd.",
          "Pte Ltd", "S.A. de C.V.", "Ltda.", "EIRL", "ehf.", "Tbk", "PT", "CV", "& Sons", "& Fils", "Bros.", "Holdings", "Group")
_streets = ("Street", "St.", "Road", "Rd", "Avenue", "Ave", "Lane", "Drive", "Blvd", "Way", "Close", "Square", "Jalan", "Jln", "Lorong", "Taman",
            "Persiaran", "Bandar", "Kampung", "Kg.", "Lot", "Plot", "Block", "Blk", "Suite", "Unit", "Floor", "Level", "Rue", "Bd", "Place",
            "Chemin", "Straße", "Str.", "Weg", "Platz", "Allee", "Gasse", "Calle", "C/", "Avda.", "Plaza", "Paseo", "Via", "Viale", "Corso",
            "Piazza", "Rua", "Av.", "Travessa", "straat", "laan", "plein", "gatan", "vägen", "gade", "vej", "ul.", "al.", "Ulica", "náměstí",
            "utca", "út", "tér", "Str", "Bulevardul", "Calea", "Cad.", "Sok.", "Mah.", "Purok", "Brgy.", "Marg", "Nagar", "Colony", "Sector")
_labels = ("TOTAL", "Total", "SUBTOTAL", "Sub Total", "Sub-Total", "CASH", "Cash", "CHANGE", "Change", "GST", "GST 6%", "SST", "VAT", "VAT 20%",
           "Tax", "TAX INVOICE", "RECEIPT", "INVOICE", "Invoice No", "Invoice No.", "Receipt #", "Bill No", "DATE", "Date", "TIME", "Cashier",
           "Table", "Qty", "QTY", "Price", "Amount", "AMOUNT", "Amount Due", "Balance", "Discount", "Rounding", "ROUNDING ADJ", "Round Adj",
           "Total Sales (Inclusive of GST)", "Total Incl. GST", "Item", "Description", "Unit Price", "Tel", "TEL", "Fax", "GST ID", "GST NO",
           "GST Reg No", "Co. Reg. No", "Reg No", "CO REG NO", "Tax ID", "VAT No", "Member", "Points", "VISA", "MASTERCARD", "APPROVED", "AID",
           "Auth Code", "Terminal", "Merchant ID", "THANK YOU", "Thank you, please come again", "GOODS SOLD ARE NOT RETURNABLE", "Served by",
           "Order", "Counter", "Sales Person", "Document No", "Till", "Store", "Items", "Total Qty", "Payment", "Paid", "Tendered", "Ref",
           "Due Date", "Terms", "Customer", "Bill To", "Ship To", "P.O. Number", "Account", "Page", "Net", "Gross", "Summe", "Gesamtbetrag",
           "MwSt", "Rechnung Nr.", "Datum", "Bar", "Rückgeld", "TOTAL TTC", "TVA", "Espèces", "Rendu", "Facture n°", "Importe", "IVA", "Efectivo",
           "Cambio", "Totale", "Contanti", "Resto", "Fattura", "Totaal", "Btw", "Wisselgeld", "Razem", "Gotówka", "PARAGON FISKALNY", "SUMA PLN",
           "Celkem", "DPH", "Összesen", "ÁFA", "KÖSZÖNJÜK", "Summa", "Moms", "Kontant", "I alt", "Ukupno", "PDV", "Toplam", "KDV", "TOPLAM",
           "Troco", "Valor total R$", "CNPJ", "CPF", "NIF", "RFC", "SIRET", "USt-IdNr.", "IBAN", "BIC", "P.IVA", "EAN", "SKU", "Art.-Nr.")
_currencies = ("€", "$", "£", "RM", "USD", "EUR", "GBP", "MYR", "CHF", "Fr.", "kr", "SEK", "NOK", "DKK", "zł", "PLN", "Kč", "CZK", "Ft", "HUF", "lei",
               "RON", "₺", "TL", "R$", "MX$", "₹", "Rs.", "INR", "₱", "PHP", "₦", "NGN", "S$", "SGD", "A$", "AUD", "NZ$", "CA$", "R", "ZAR", "Rp", "IDR",
               "¥", "JPY", "₩", "₫", "₽", "KSh", "GH₵"[:2], "kn", "BGN", "лв"[:0] or "lv")
# What looks like a digit is hardly ever mixed with digits; taught with it, the net takes zeros of tills for the letter O.
_of_codes = "".join(c for c in string.ascii_uppercase if c not in "OQI")
_months = ("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec January February March April June July August September October November December "
           "Januar Februar März Mai Juni Juli Oktober Dezember janvier février mars avril mai juin juillet août septembre octobre novembre "
           "décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio maggio giugno "
           "luglio settembre dicembre janeiro fevereiro março maio setembro outubro dezembro maart mei augustus stycznia lutego ledna února "
           "ianuarie märts januari februari").split()


class Texts:
    def __init__(self, words_file, phrases=(), sentences=(), seed=0):
        self.random = random.Random(seed)
        self.words = {}
        for line in gzip.open(words_file, "rt", encoding="utf8"):
            language, word = line.rstrip("\n").split("\t")
            self.words.setdefault(language, []).append(word)
        # English is on more receipts than any other language.
        self.languages = list(self.words) + ["en"] * 12 + ["de", "fr", "es", "it", "nl", "pt", "pl", "id"] * 2
        self.accented = {l: [w for w in ws if not w.isascii()] or ws for l, ws in self.words.items()}
        self.phrases, self.sentences = list(phrases), list(sentences)

    def line(self):
        """One line of 1 to about 60 characters."""
        r = self.random
        kind = r.choices(
            (self.item, self.labelled, self.company, self.address, self.date_line, self.code, self.words_only, self.sentence, self.noise,
             self.amounts, self.phrase, self.contact, self.short, self.mixed),
            (16, 14, 7, 12, 6, 8, 10, 9, 3, 8, 7, 5, 6, 6))[0]
        text = " ".join(kind().translate(same).split())
        roll = r.random()
        if kind not in (self.noise, self.sentence):
            text = text.upper().replace("ẞ", "SS") if roll < 0.38 else text.title() if roll < 0.48 else text
        text = "".join(c for c in text if c in _known).strip()
        if len(text) > 58:
            text = text[: r.randint(20, 58)].strip()
        return text or self.digits(4)

    def digits(self, count):
        return "".join(self.random.choices(string.digits, k=count))

    def word(self, language=None):
        r = self.random
        language = language or r.choice(self.languages)
        pool = self.accented if r.random() < 0.2 else self.words
        w = r.choice(pool[language])
        return w.capitalize() if r.random() < 0.35 else w

    def some(self, low, high):
        language = self.random.choice(self.languages)
        return " ".join(self.word(language) for _ in range(self.random.randint(low, high)))

    def amount(self):
        r = self.random
        value = round(r.choice((9, 30, 99, 500, 2000, 30000, 900000)) * r.random() + 0.01, 2)
        places = r.choices((2, 0, 3, 1), (85, 10, 3, 2))[0]
        style = r.choices(("en", "de", "fr", "ch", "plain"), (45, 22, 8, 3, 22))[0]
        text = f"{value:,.{places}f}"
        if style == "de":
            text = text.replace(",", "_").replace(".", ",").replace("_", ".")
        if style == "fr":
            text = text.replace(",", " ").replace(".", ",")
        if style == "ch":
            text = text.replace(",", "'")
        if style == "plain":
            text = text.replace(",", "")
        return r.choices((text, "-" + text, text + "-", f"({text})"), (92, 5, 2, 1))[0]

    def money(self):
        r = self.random
        amount = self.amount()
        sign = r.choice(_currencies if r.random() < 0.6 else ("€", "£", "$", "zł", "Kč"))
        return r.choices((amount, f"{sign}{amount}", f"{sign} {amount}", f"{amount} {sign}", f"{amount}{sign}"), (50, 15, 15, 15, 5))[0]

    def date(self):
        r = self.random
        day, month, year = r.randint(1, 28), r.randint(1, 12), r.randint(1998, 2031)
        mark = r.choice("////..--- ")
        return r.choice((
            f"{day:02}{mark}{month:02}{mark}{year}", f"{day}{mark}{month}{mark}{year % 100:02}", f"{year}-{month:02}-{day:02}",
            f"{day:02}{mark}{month:02}{mark}{year % 100:02}", f"{month:02}/{day:02}/{year}", f"{day} {r.choice(_months)} {year}",
            f"{r.choice(_months)} {day}, {year}", f"{day:02}-{r.choice(_months)[:3]}-{year}", f"{day}. {r.choice(_months)} {year}"))

    def time(self):
        r = self.random
        hour, minute, second = r.randint(0, 23), r.randint(0, 59), r.randint(0, 59)
        return r.choice((f"{hour:02}:{minute:02}", f"{hour:02}:{minute:02}:{second:02}", f"{hour % 12 or 12}:{minute:02} {r.choice(('AM', 'PM'))}",
                         f"{hour % 12 or 12}:{minute:02}:{second:02}{r.choice(('am', 'pm', 'AM', ' PM'))}"))

    def item(self):
        r = self.random
        name = self.some(1, 3)
        if r.random() < 0.35:
            name += r.choice((" 500ml", " 1L", " 250g", " 1kg", " 1.5L", " x6", " 20W-50", " A4", " 3/4\"", " 50mm", " 12V", " 0,5 l", " 75cl", " 2PK", " (L)", " No.3",
                              f" {r.randint(1, 999)}G", f" {r.randint(1, 60)}x{r.randint(1, 60)}", f" #{self.digits(3)}"))
        quantity = r.choice((f"{r.randint(1, 12)}", f"{r.randint(1, 12)} x", f"{r.randint(1, 12)}x", f"{r.randint(1, 9)}.00", f"{r.random() * 5:.3f}", f"{r.randint(1, 9)} PCS"))
        tail = r.choice(("", "", " SR", " ZR", " S", " Z", " T", " A", " B", " *", " 6%"))
        return r.choice((name, name, f"{quantity} {name}", f"{name} {self.money()}{tail}", f"{quantity} {name} {self.amount()}{tail}",
                         f"{name} {quantity} {self.amount()} {self.amount()}", f"{quantity} @ {self.amount()}", f"{quantity} {self.amount()} {self.amount()}{tail}",
                         f"{self.digits(r.choice((8, 12, 13)))} {name}", f"{r.randint(1, 30)}. {name}", f"- {name}", f"{name} ({quantity})"))

    def labelled(self):
        r = self.random
        label = r.choice(_labels if r.random() < 0.6 or not self.phrases else self.phrases)
        mark = r.choice((":", ": ", " : ", " ", " ", "", ".:", " # ", ":-"))
        value = r.choice((self.money, self.amount, self.code, self.date, lambda: f"{r.randint(0, 99)}%", lambda: self.some(1, 2), lambda: ""))()
        return f"{label}{mark}{value}"

    def company(self):
        r = self.random
        name = r.choice((self.some(1, 3), f"{self.word().capitalize()} & {self.word().capitalize()}", "".join(r.choices(string.ascii_uppercase, k=r.randint(2, 4))) + " " + self.some(1, 2)))
        return f"{name} {r.choice(_forms)}" if r.random() < 0.65 else name

    def address(self):
        r = self.random
        number = r.choice((f"{r.randint(1, 300)}", f"No. {r.randint(1, 200)}", f"NO.{r.randint(1, 99)}-{r.randint(1, 9)}", f"{r.randint(1, 90)}, {r.randint(1, 90)} & {r.randint(1, 90)}",
                           f"{r.randint(1, 99)}{r.choice('ABCDEGab')}", f"Lot {r.randint(1, 9000)}", f"{r.randint(1, 40)}/{r.randint(1, 40)}", f"{r.randint(1, 9)}-{r.randint(1, 9)}-{r.randint(1, 9)}"))
        section = f"{r.choice(string.ascii_uppercase)}{r.choice(string.ascii_uppercase)}{r.randint(1, 30)}/{r.randint(1, 99)}{r.choice(('', 'A', 'B', 'C'))}"
        street = r.choice((f"{self.some(1, 2)} {r.choice(_streets)}", f"{r.choice(_streets)} {self.some(1, 2)}", f"{r.choice(_streets)} {section}",
                           f"{r.choice(_streets)} {self.word()} {r.randint(1, 40)}/{r.randint(1, 40)}"))
        code = r.choice((self.digits(5), self.digits(4), self.digits(6), f"{self.digits(3)} {self.digits(2)}", f"{self.digits(2)}-{self.digits(3)}", f"{self.digits(4)} {r.choice(string.ascii_uppercase)}{r.choice(string.ascii_uppercase)}",
                         f"{r.choice(string.ascii_uppercase)}{r.choice(string.ascii_uppercase)}{r.randint(1, 29)} {r.randint(1, 9)}{r.choice(string.ascii_uppercase)}{r.choice(string.ascii_uppercase)}",
                         f"{r.choice('ABCGHKLMNPRSTVXY')}{r.randint(1, 9)}{r.choice('ABCEGHJKLMNPRSTVWXYZ')} {r.randint(1, 9)}{r.choice('ABCEGHJKLMNPRSTVWXYZ')}{r.randint(1, 9)}"))
        town = self.some(1, 2)
        return r.choice((f"{number}, {street}", f"{number} {street},", f"{street} {number}", f"{code} {town}", f"{code} {town}, {self.word()}", f"{town}, {self.word()} {code}",
                         f"{number}, {street}, {code} {town}", f"{street}, {town}", f"{street},{code} {town}.", f"{town} {r.choice(('CA', 'NY', 'TX', 'WA', 'FL', 'NSW', 'ON'))} {code}"))

    def date_line(self):
        r = self.random
        return r.choice((self.date(), f"{self.date()} {self.time()}", f"Date: {self.date()}", f"{self.date()}  {self.time()}  {self.digits(4)}", f"{r.choice(_labels)} {self.date()}", self.time()))

    def code(self):
        r = self.random
        letters = "".join(r.choices(_of_codes, k=r.randint(1, 3)))
        return r.choice((self.digits(r.randint(2, 13)), letters + self.digits(r.randint(3, 9)), f"{letters}-{self.digits(4)}/{self.digits(2)}", f"{self.digits(6)}-{r.choice(string.ascii_uppercase)}",
                         f"{r.choice(('DE', 'FR', 'ES', 'IT', 'NL', 'BE', 'ATU', 'PL', 'GB', 'SE', 'PT'))}{self.digits(9)}", f"{self.digits(12)}", f"#{self.digits(5)}", f"{self.digits(4)} {self.digits(4)} {self.digits(4)} {self.digits(4)}",
                         f"XXXXXXXXXXXX{self.digits(4)}", f"**** **** **** {self.digits(4)}", f"{letters}{self.digits(2)} {self.digits(4)} {self.digits(4)} {self.digits(4)} {self.digits(4)} {self.digits(2)}",
                         "".join(r.choices(_of_codes + string.digits, k=r.randint(4, 16))), f"({self.digits(6)}-{r.choice(string.ascii_uppercase)})"))

    def mixed(self):
        """Letters, digits and marks close together, as in plots, floors and names: "LOT 1F-01&02", "SS21/60", "H&M"."""
        r = self.random
        a, b, c = (r.choice(_of_codes) for _ in range(3))
        i, j, k = r.randint(1, 99), r.randint(1, 99), r.randint(1, 40)
        part = r.choice((f"{i}{a}&{j}{a}", f"{i}&{j}", f"{i},{j}&{k}", f"{a}{a}{i}/{j}", f"{a}{i}/{j}{b}", f"{a}{b}{i}{c}/{j}", f"{k}{a}-{i:02}&{j:02}", f"{a}{k}-{i}", f"{a}{b}{self.digits(5)}",
                         f"{a}&{b}", f"{a} & {b}", f"{self.word()} & {self.word()}", f"{self.word()}&{self.word()}", f"{i} & {j}", f"{i}-{j}", f"{i} 1/2", f"{a}-{k}-{i:02}", f"{k}/F", f"{i}{a}, {k}/F"))
        return r.choice((part, f"{r.choice(_streets)} {part}", f"No. {part}, {r.choice(_streets)} {self.word()}", f"NO.{part} {self.word()}", f"{part} {r.choice(_forms)}", f"{r.choice(_streets)} {part}, {self.word()}"))

    def contact(self):
        r = self.random
        phone = r.choice((f"0{r.randint(1, 9)}-{self.digits(7)}", f"+{r.randint(1, 99)} {self.digits(2)} {self.digits(3)} {self.digits(4)}", f"({self.digits(3)}) {self.digits(3)}-{self.digits(4)}", f"0{self.digits(3)} {self.digits(6)}", f"{self.digits(3)}/{self.digits(3)} {self.digits(2)} {self.digits(2)}"))
        host = f"{r.choice(self.words['en']).lower()}.{r.choice(('com', 'de', 'fr', 'co.uk', 'com.my', 'net', 'org', 'eu', 'it', 'es'))}"
        return r.choice((f"Tel: {phone}", phone, f"Tel.{phone} Fax.{phone}", f"www.{host}", f"{r.choice(self.words['en']).lower()}@{host}", f"https://{host}/{self.digits(4)}", f"Tel {phone}", f"HP: {phone}"))

    def words_only(self):
        return self.some(1, 6)

    def sentence(self):
        r = self.random
        if not self.sentences:
            return self.some(3, 8)
        words = r.choice(self.sentences).split()
        begin = r.randrange(max(1, len(words) - 3))
        return " ".join(words[begin: begin + r.randint(2, 9)])

    def phrase(self):
        return self.random.choice(self.phrases) if self.phrases else self.labelled()

    def amounts(self):
        return " ".join(self.money() for _ in range(self.random.randint(1, 3)))

    def noise(self):
        r = self.random
        text = "".join(r.choice(r.choice((characters, string.ascii_letters, string.digits, string.ascii_uppercase, " "))) for _ in range(r.randint(2, 18)))
        return "".join(c for c in text if c not in "OoQIl|")

    def short(self):
        r = self.random
        return r.choice((self.digits(r.randint(1, 3)), self.amount(), self.word(), r.choice(string.ascii_uppercase), r.choice(_currencies), f"{r.randint(1, 25)}%", f"{r.randint(1, 9)} x", "-" * r.randint(1, 20), "=" * r.randint(3, 30), "*" * r.randint(2, 24), f"{r.randint(1, 99)}.", "x", f"[{r.choice(' xX')}]"))
