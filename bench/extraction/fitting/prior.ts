/** What to believe without data: `reason weight` pairs per field or kind. Fitting starts here and is drawn back to it. */
const label =
  "bias -2 strong 3 weak 1 right 0.9 gap -1.5 alone 0.3 not_last 0 unlabelled -1 others -2 top 0.5 large 0 bold 0 checked 1.5 failed -1.5 pattern 4 region 4 first 0.3";
const date = `${label} first 0.5 item_row -1.5 ambiguous 0`;
const amount =
  "bias -3 strong 3 weak 1.2 right 1 gap -0.3 not_last -2 alone 0.2 unlabelled -1.5 due_label -0.5 item_row -1.5 checked 2.5 failed -1.5 top 0 bold 0.2 large 0.2 pattern 5 region 5 first 0.3";
const name =
  "bias -2 role 3 rival_role -3 legal_form 1.5 business 0.7 top 1.5 first_row 1 large 1 bold 0.3 twice 0.8 over_address 0.6 over_contact 0.8 street -2 label -1.5 digits -0.5 item_row -2 under_sender -1.5 second_block -0.8 taken -5";
const vat =
  "bias -1.5 strong 2 weak 1 right 0.8 gap -1 alone 0 checked 1.5 country 0.5 own_block 0.8 other_block -0.8 says_role 1 taken -4 unlabelled -1 others -1 top 0";
const confidence = "bias -1 score 3 lead 3 doubt -12 checked 0.7 failed -1.5 ambiguous -0.5";

const table: Record<string, string> = {
  code: `${label} bias -1 unlabelled -2`,
  date,
  amount: `${amount} bias -2 unlabelled -2.5`,
  name: `${label} bias -1 unlabelled -2`,
  address: label,
  list: "bias 0.5 checked 1.5 headed 0.5 failed -1",
  pair: "bias 0 right 0.5 below -0.5 raised -0.3 gap -1 colon 0.7",
  invoice_number: `${label} lone_code 3 amid_words -3 item_row -1.5 taken -2 beside_date 0.5`,
  purchase_order: `${label} item_row -2 beside_date 0 bias -3`,
  issue_date: `${date} bias -0.5 unlabelled -0.5 others -3 before_due 0.5`,
  due_date: `${date} beside_date 0.5 latest_of_line 0.8 first 0`,
  iban: "bias 0 strong 1.5 weak 0.5 checked 3 failed -1 unlabelled -0.3 others -0.5 gap -0.3 top 0",
  net_total: `${amount} proven 3 proven_alone 6 largest -0.5 sum_of_lines 1.5 one_of_bases -1.5 one_of_rates -1`,
  tax_total: `${amount} proven 3 proven_alone 6 largest -2 sum_of_lines -1.5 one_of_rates -2.5 one_of_bases -1`,
  grand_total: `${amount} proven 3 proven_alone 6 sum_of_parts 3 largest 1.2 sum_of_lines 0.3 one_of_rates -1 one_of_bases -1`,
  amount_due: `${amount} bias -3.5 largest 0.3`,
  prepaid: `${amount} bias -3.5`,
  discount: `${amount} bias -3.5`,
  shipping: `${amount} bias -3.5`,
  rounding: `${amount} bias -3.5`,
  total: `${amount} sum_of_lines 2 proven_alone 3 sum_of_parts 1.5 bias -2.5 cash -1.5 change -3 replaced_later -1 largest 0.3 unlabelled -1`,
  tax: `${amount} bias -3 cash -2 change -2 largest -2 one_of_rates -2`,
  "seller.name": name,
  "buyer.name": `${name} bias -2.5 top 0.3 first_row -1.5 over_contact -0.5 under_sender 2 second_block 1.2 large -0.3 twice -0.3 over_address 1.2 legal_form 0.8`,
  "seller.vat_id": vat,
  "buyer.vat_id": `${vat} bias -3`,
  company:
    "bias -0.5 first 1 order -3 legal_form 2 business 0.8 label -1.5 street -1.2 code -2 over_address 0.5 large 0.7 bold 0.3 joined -0.3 joins_tail 2 over_code 1 rest_of_name -1.2",
  // The address of a till slip; that of a party is found under its name.
  address_lines: "",
  bank: "bias -1 top 1 first_row 1.2 large 1 bold 0.3 business 1.5 legal_form 0.8 digits -1 label -2",
  account_holder: `${label} bias -1 over_address 2`,
  account_number: `${label} bias -1`,
  period: `${label} bias -0.5 unlabelled 0`,
  opening_balance: `${label} bias -1 unlabelled -2`,
  closing_balance: `${label} bias -1 unlabelled -2`,
  currency: "bias 0 printed 4 sign 3 guessed 1",
  tables: "bias 1",
  // Not fitted: which of several labels means a value, how much a title is one, which reading of a row's numbers is best.
  claim: "strong 1 weak 0.5 length 0.25 inline 0.5 right 0.4 below_alone 0.3 below 0.05 gap -0.5 skipped -0.5",
  title: "own_line 0.35 start_of_line 0.15 in_prose 0.1 large 0.3 head 0.2 bold 0.1 capitals 0.05",
  place: "headed 0.3 aligned 0.3 elsewhere -0.1",
  product: "real 1 by_one 0.4 discount -0.01 finer_price 0.1 whole_quantity 0.1 right 0.2 in_order 0.05",
  "confidence code": confidence,
  "confidence date": confidence,
  "confidence amount": confidence,
  "confidence name": `${confidence} doubt -20`,
  "confidence address": `${confidence} bias -1.5 doubt -25`,
  "confidence list": "bias 0.5 score 2 lead 0 doubt -10 checked 0.5 failed -1",
  "confidence pair": "bias -1 score 3 lead 0 doubt -10",
};
table.date = `${date} bias -0.5 first 0.4 other_words -1.5 odd_year -2 unlabelled 0`;
table.address = `${label} bias -1 ends_well 0.8 starts_place 0.5 code -1.5 place_follows -1.5 place_before -1.2 order -1`;
delete table.address_lines;

const kinds =
  "invoice credit_note receipt bank_statement purchase_order quote delivery_note payslip reminder contract letter supplier_statement form document";
/** Kinds that have words of their own besides their title, and those whose words stand on invoices as well. */
const signed = "purchase_order quote delivery_note payslip reminder contract supplier_statement";
const weak = new Set(["purchase_order", "delivery_note"]);
const build: Record<string, string> = {
  invoice:
    "numbered_page 2 bias 0 invoice_labels 2 numbered 1 due 0.7 adds_up 0.7 total 0.5 no_amounts -2.5 few_amounts -0.5 priced_rows 0.7 item_header 0.5 parties 0.7 narrow -0.7 cash -0.7 movements -0.5 movement_header -0.7 balances -1.5 very_long -1 book -1.5 titled_otherwise -3 nameless_sheet -1.5",
  credit_note:
    "bias -1.5 invoice_labels 1 numbered 0.5 adds_up 0.4 total 0.3 no_amounts -2 titled_otherwise -1.5 priced_rows 0.5 item_header 0.4 parties 0.5 narrow -0.7 book -1.5",
  receipt:
    "numbered_page -2 bias 0 narrow 1.2 short_scan 1.2 cash 1.8 total 0.7 no_amounts -2.5 few_amounts -0.7 long -1 very_long -1 many_pages -1 due -1 parties -0.7 movements -0.5 salutation -0.7 titled_otherwise -2 nameless_list -1.5 signs.payslip -3",
  bank_statement:
    "bias -1 movements 2 movement_header 2 balances 2 invoice_labels -1 item_header -0.3 no_amounts -2 cash -0.5 parties -0.5 signs.supplier_statement -5",
  form: "bias 0 colons 1.2 form_words 1.2 form_entries 2.5 no_amounts 0.7 few_amounts 0.3 total -0.7 adds_up -0.8 very_long -1 book -1 invoice_labels -0.8 scanned 0.3 salutation -0.5",
  document: "bias 0.6 very_long 1 book 1 many_pages 0.5 no_amounts 0.5 invoice_labels -0.8 total -0.5",
  purchase_order: "bias -1.5 invoice_labels -0.5 item_header 0.5 due -0.5",
  quote: "bias -1.5 invoice_labels -0.3 item_header 0.5",
  delivery_note: "bias -1.5 invoice_labels -0.8 no_amounts 1 total -0.5",
  payslip: "bias -1.5 signs.payslip 5 invoice_labels -0.8 item_header -0.5",
  reminder: "bias -1.5 salutation 0.5 priced_rows -0.5 item_header -0.3",
  contract: "bias -2 very_long 0.7 many_pages 0.5 invoice_labels -0.5",
  letter:
    "bias -1 salutation 2 closing 1.5 signs.letter 2 no_amounts 1 few_amounts 0.3 invoice_labels -1 item_header -1 total -1",
  supplier_statement: "bias -2 movements 0.5 balances 0.5 signs.supplier_statement 5",
};
for (const [type, text] of Object.entries(build)) {
  const titles = kinds.split(" ").map((kind) => {
    const isOwn = kind === type;
    return `title.${kind} ${isOwn ? 2 : type === "document" || type === "form" ? -0.4 : -0.3} title.${kind}.best ${isOwn ? 2.5 : -0.5}`;
  });
  const signs = signed.split(" ").map((kind) => `signs.${kind} ${kind === type ? 3 : weak.has(kind) ? 0 : -1}`);
  table[`type ${type}`] = `${titles.join(" ")} ${signs.join(" ")} ${text}`;
}

export const prior: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  Object.entries(table).map(([field, text]) => {
    const parts = text.split(" ");
    const row = new Map<string, number>();
    for (let index = 0; index + 1 < parts.length; index += 2) row.set(parts[index]!, Number(parts[index + 1]));
    return [field, row];
  }),
);
