import { sumRows } from "./pages-chromium.ts";
import { type Scenario, writeQuantity } from "./scenario.ts";

/** A plain invoice set with troff: typewriter print, everything below each other. */
export function typewriter(s: Scenario, title = s.say("invoice"), sign = 1): string {
  return `.nf
.ft C
.ps 10
.ll 17c
${s.seller.name}
${s.seller.street}
${s.seller.town}
.sp 2
${s.say("to")}:
${s.buyer.name}
${s.buyer.street}
${s.buyer.town}
.sp 2
.ft CB
${title.toUpperCase()}
.ft C
.sp
.TS
tab(@);
l l.
${s.say("number")}:@${s.number}
${s.say("date")}:@${s.day(s.issue)}
${s.say("order")}:@${s.order}
${s.say("due")}:@${s.day(s.due)}
.TE
.sp 2
.TS
tab(@);
l r r r.
${s.say("item")}@${s.say("qty")}@${s.say("price")}@${s.say("sum")}
_
${s.lines.map((line) => `${line.description}@${writeQuantity(s, line.quantity)}@${s.money(line.price, false)}@${s.money(sign * line.total, false)}`).join("\n")}
_
${sumRows(s, sign)
  .map(([label, amount]) => `${label}@@@${amount}`)
  .join("\n")}
.TE
.sp 2
${s.say("terms")}
${s.say("vatid")} ${s.seller.vatId}
${s.iban ? `IBAN ${s.iban}` : ""}
`;
}

/** A consultant's invoice in prose: the title line holds number and date, sums stand in sentences of their own. */
export function prose(s: Scenario): string {
  return `.nf
.ps 11
.vs 14
.ll 16c
.ce 3
.ft B
.ps 14
${s.seller.name}
.ft R
.ps 10
${s.seller.street}
${s.seller.town}
.sp 3
.ps 11
${s.buyer.name}
${s.buyer.street}
${s.buyer.town}
.sp 2
.ft B
${s.say("invoice")} ${s.number}
.ft R
${s.say("date")}: ${s.day(s.issue)}
.sp
${s.say("letter")}
.sp
.TS
tab(@);
l r r r.
${s.say("item")}@${s.say("qty")}@${s.say("price")}@${s.say("sum")}
${s.lines.map((line) => `${line.description}@${writeQuantity(s, line.quantity)}@${s.money(line.price)}@${s.money(line.total)}`).join("\n")}
.TE
.sp
${sumRows(s)
  .map(([label, amount]) => `${label}: ${amount}`)
  .join("\n")}
.sp
${s.say("due")}: ${s.day(s.due)}
.sp
${s.say("thanks")}
`;
}
