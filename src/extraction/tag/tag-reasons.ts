import type { Tags } from "../../ports/document-reader.ts";

/** What the net calls the values of a field. */
const entitiesOf: Readonly<Record<string, readonly string[]>> = {
  invoice_number: ["number"],
  issue_date: ["issue_date"],
  date: ["issue_date"],
  due_date: ["due_date"],
  purchase_order: ["order"],
  net_total: ["net"],
  tax_total: ["tax"],
  tax: ["tax"],
  grand_total: ["total"],
  total: ["total"],
  amount_due: ["due"],
  prepaid: ["prepaid"],
  discount: ["discount"],
  shipping: ["shipping"],
  rounding: ["rounding"],
  iban: ["iban"],
  "seller.name": ["seller_name"],
  "seller.address": ["seller_address"],
  "seller.vat_id": ["seller_tax"],
  "buyer.name": ["buyer_name"],
  "buyer.address": ["buyer_address"],
  "buyer.vat_id": ["buyer_tax"],
  company: ["seller_name"],
  address: ["seller_address"],
  bank: ["bank"],
  account_holder: ["holder"],
  account_number: ["account", "iban"],
  opening_balance: ["opening"],
  closing_balance: ["closing"],
};

/** How far the net takes the words of a candidate for what the field asks for, and for something else. */
export function tagReasons(field: string, tags: Tags | undefined): Record<string, number> {
  const own = entitiesOf[field];
  if (!own || !tags) return {};
  let tagged = 0;
  let other = 0;
  for (const name in tags)
    if (own.includes(name)) tagged += tags[name]!;
    else other = Math.max(other, tags[name]!);
  return { tagged: rounded(tagged), tagged_other: rounded(other) };
}

const rounded = (chance: number): number => Math.round(chance * 1000) / 1000;
