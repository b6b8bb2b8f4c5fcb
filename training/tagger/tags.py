"""What a word of a page can be. The order is the net's: only ever append."""

ENTITIES = [
    # header
    "number", "issue_date", "due_date", "delivery_date", "order", "customer", "reference", "terms", "period_start", "period_end",
    # parties
    "seller_name", "seller_address", "seller_tax", "seller_register", "seller_contact",
    "buyer_name", "buyer_address", "buyer_tax", "buyer_contact", "other_name", "other_address",
    # where to pay
    "iban", "bic", "bank", "account", "holder",
    # sums
    "items_sum", "net", "tax_rate", "tax_base", "tax", "tax_part", "total", "prepaid", "due", "previous", "discount", "shipping",
    "rounding", "withheld", "tip", "cash", "change",
    # items
    "item_position", "item_code", "item_text", "item_quantity", "item_unit", "item_price", "item_discount", "item_rate",
    "item_tax", "item_total", "item_date", "item_note",
    # movements of an account
    "move_date", "move_valuta", "move_text", "move_debit", "move_credit", "move_balance", "opening", "closing",
    # forms
    "caption", "answer", "tick", "option",
    # the page itself
    "title", "heading", "page_counter", "carried",
]
TAGS = ["O"] + [f"{part}-{entity}" for entity in ENTITIES for part in "BI"]
TAG_ID = {tag: index for index, tag in enumerate(TAGS)}

KINDS = [
    "invoice", "credit_note", "receipt", "bank_statement", "form", "quote", "purchase_order", "delivery_note", "reminder", "payslip",
    "contract", "supplier_statement", "letter", "document",
]
