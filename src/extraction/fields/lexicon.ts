/**
 * What labels say, in English, German, French, Spanish, Italian, Dutch and Portuguese.
 * Phrases are compared without accents, blanks and punctuation. The first group of a label is unmistakable,
 * the second is weaker and loses against any unmistakable one.
 */
interface LabelWords {
  readonly strong: readonly string[];
  readonly weak?: readonly string[];
}

const phrases = (text: string): string[] =>
  text
    .split("|")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");

export const labelWords = {
  invoice_number: {
    strong: phrases(
      "invoice number|invoice no|invoice nr|invoice #|invoice num|inv no|inv #|inv number|tax invoice no|tax invoice number|bill number|bill no|invoice id|invoice ref|invoice reference|document number|document no|doc no|credit note number|credit note no|rechnungsnummer|rechnungs nummer|rechnungsnr|rechnung nr|rechnung nummer|rechnungs nr|rechn nr|re nr|belegnummer|beleg nr|belegnr|gutschriftsnummer|gutschrift nr|rg nr|numero de facture|no de facture|n de facture|n facture|facture no|facture n|facture numero|num facture|numero facture|numero d avoir|avoir n|numero de factura|num factura|no factura|n factura|factura n|factura no|factura num|factura numero|numero fattura|fattura n|fattura nr|n fattura|nr fattura|numero documento|num documento|factuurnummer|factuur nr|factuurnr|factuur nummer|numero da fatura|fatura n|fatura no|n fatura|no fatura|fatura numero|numero da nota|nota fiscal n|bill id|statement number|invoice code|receipt no|receipt number|receipt #|numero du document|document n|order invoice",
    ),
    weak: phrases(
      "invoice|tax invoice|rechnung|handelsrechnung|facture|factura|fattura|factuur|fatura|credit note|gutschrift|avoir|kostenrechnung|number|no|#|reference|ref|our reference|nummer|nr|numero|referentie|commercial invoice|proforma invoice|note de credit|nota de credito|nota di credito|creditnota|reference number|bill|teilrechnung|schlussrechnung|stornorechnung|korrekturrechnung|rechnungskorrektur|sales invoice",
    ),
  },
  issue_date: {
    strong: phrases(
      "invoice date|date of invoice|date of issue|issue date|issued on|issued|issued at|date issued|bill date|billing date|tax date|tax point|document date|invoice dated|dated|rechnungsdatum|rechnungs datum|belegdatum|beleg datum|ausstellungsdatum|ausgestellt am|datum der rechnung|rechnung vom|date de facture|date facture|date de la facture|date de facturation|date d emission|emise le|emis le|date du document|fecha de factura|fecha factura|fecha de emision|fecha emision|fecha de expedicion|data fattura|data della fattura|data documento|data emissione|data di emissione|factuurdatum|factuur datum|datum factuur|data da fatura|data de emissao|data fatura|data emissao|date of the invoice|liefer und rechnungsdatum|rechnungs und lieferdatum|invoice date tax point|date of bill",
    ),
    weak: phrases("date|datum|fecha|data|vom|du|le|del|dd|raised|created|date d avoir|date avoir"),
  },
  due_date: {
    strong: phrases(
      "due date|date due|payment due|payment due date|due by|due on|pay by|payable by|payable until|payable before|payment deadline|pay before|please pay by|please remit until|remit by|remit until|invoice due|invoice due date|fallig am|falligkeit|falligkeitsdatum|fallig|faellig am|faelligkeit|faellig bis|fallig bis|zahlbar bis|zahlbar bis zum|zahlungsziel|zu zahlen bis|zahlungstermin|zahlung bis|bis zum|valuta|date d echeance|echeance|date echeance|date limite de paiement|a payer avant le|payable le|a regler avant le|date de reglement|payer avant|paiement avant le|fecha de vencimiento|vencimiento|fecha vencimiento|fecha limite de pago|pagar antes de|scadenza|data scadenza|data di scadenza|scadenza pagamento|da pagare entro|entro il|vervaldatum|te betalen voor|betaaldatum|uiterste betaaldatum|te betalen uiterlijk|betalen voor|vervalt op|data de vencimento|vencimento|data vencimento|data limite de pagamento|pagar ate|settle by|balance due by|amount due by|total due by|net due",
    ),
    weak: phrases(
      "due|bis|pay until|payment terms|terms|zahlungsbedingungen|until|wird am|sera preleve le|prelevement a partir du|prelevement le|will be debited on|debited on|collected on|abbuchung am|eingezogen am|abgebucht am|se cobrara el|addebito il",
    ),
  },
  purchase_order: {
    strong: phrases(
      "purchase order|purchase order no|purchase order number|purchase order #|po number|po no|po #|p o number|p o no|p o #|p o|your po|your po number|customer po|client po|po ref|po reference|your order|your order no|your order number|order ref|customer order|customer order no|buyer order|bestellnummer|bestell nr|ihre bestellung|ihre bestellnummer|bestellnr|ihre auftragsnummer|ihr auftrag|ihr zeichen|kundenbestellnummer|bon de commande|numero de commande|no de commande|n de commande|commande n|votre commande|ref commande|reference commande|no commande|votre reference|ref client|n commande|votre ref|bc n|pedido n|numero de pedido|no de pedido|su pedido|n pedido|orden de compra|ordine n|numero ordine|vostro ordine|ordine di acquisto|n ordine|rif ordine|bestelnummer|inkooporder|uw bestelling|ordernummer|uw referentie|encomenda n|n encomenda|numero de encomenda|ordem de compra|nota de encomenda|vossa encomenda|your reference|your ref",
    ),
    weak: phrases(
      "po|order no|order number|order #|order|bestellung|auftragsnummer|commande|pedido|ordine|encomenda|order reference|job no",
    ),
  },
  net_total: {
    strong: phrases(
      "subtotal|sub total|net total|total net|net amount|net value|total net amount|total excl vat|total excl tax|total ex vat|total ex tax|total excluding tax|total excluding vat|total before tax|amount before tax|taxable amount|taxable value|amount excl vat|amount ex vat|total exclusive of vat|total exclusive of gst|total excl gst|total exc gst|net|nettobetrag|netto|summe netto|netto summe|gesamt netto|gesamtbetrag netto|rechnungssumme netto|rechnungssumme ohne ust|nettosumme|gesamtnetto|zwischensumme|zwischensumme netto|total netto|nettowert|warenwert netto|rechnungsbetrag netto|summe ohne mwst|total ht|montant ht|total hors taxe|total hors taxes|sous total|montant total ht|total net ht|montant eur ht|base ht|montant hors taxe|net ht|total h t|base imponible|importe neto|total neto|suma neta|total sin iva|imponibile|totale imponibile|totale netto|subtotale|imponibile iva|totale merce|totaal excl btw|totaal exclusief btw|subtotaal|totaal excl|netto totaal|bedrag excl btw|totaal netto|total liquido|base tributavel|base de incidencia|valor liquido|total sem iva|valor tributavel|total iliquido|sub total excl tax|taxable total|goods total|total goods|amount net|positionssumme netto",
    ),
    weak: phrases(
      "positionssumme|summe|positionen netto|warenwert|total amount excl|basisbetrag|total of items|items total|items|merchandise total|neto|total lignes|before tax|amount|base|services total|total before discount|excl vat|excl tax|ex vat|ht",
    ),
  },
  tax_total: {
    strong: phrases(
      "total tax|tax total|total vat|vat total|vat amount|tax amount|sales tax|vat|gst|hst|pst|qst|tax|total gst|gst amount|gst payable|plus vat|value added tax|mwst|mehrwertsteuer|umsatzsteuer|ust|steuerbetrag|mwst betrag|ust betrag|zzgl mwst|zzgl ust|zuzuglich mwst|zuzuglich|steuer|steuern|gesamtsteuer|umsatzsteuerbetrag|tva|montant tva|total tva|total taxes|total taxe|montant de la tva|dont tva|tva collectee|iva|total iva|cuota iva|importe iva|importe de iva|impuestos|cuota|imposta|totale iva|totale imposta|importo iva|btw|btw bedrag|totaal btw|belasting|total iva|valor iva|valor do iva|imposto|total impostos|impuesto|sst|service tax|sales tax amount|salestax|taxes|total sales tax|tax payable",
    ),
    weak: phrases("incl vat|including vat|zzgl|taxe|levy|duty"),
  },
  grand_total: {
    strong: phrases(
      "grand total|total due|amount due|balance due|total amount due|total amount|invoice total|total invoice|total payable|amount payable|total to pay|total incl vat|total incl tax|total inc vat|total including tax|total including vat|total inclusive of gst|total incl gst|total inc gst|gross total|gross amount|total gross|final total|total amount payable|due payable|total charges|total for this invoice|you pay|pay this amount|please pay|amount owing|balance|invoice amount|gesamtbetrag|gesamtsumme|rechnungsbetrag|rechnungssumme|bruttobetrag|brutto|bruttosumme|summe brutto|gesamt brutto|endbetrag|endsumme|zahlbetrag|rechnungsendbetrag|zu zahlen|zu zahlender betrag|gesamt|rechnungssumme brutto|rechnungsbetrag brutto|gesamtbetrag brutto|total brutto|total ttc|montant ttc|total a payer|net a payer|montant total|montant total ttc|montant eur ttc|total toutes taxes comprises|somme a payer|solde a payer|montant a payer|net a payer ttc|reste a payer|total t t c|total facture|total general|importe total|total factura|total a pagar|total con iva|total incl iva|totale fattura|totale documento|totale da pagare|importo totale|totale a pagare|totale ivato|netto a pagare|totale complessivo|totale lordo|totaal incl btw|totaal inclusief btw|te betalen|totaalbedrag|totaal te betalen|eindtotaal|factuurbedrag|totaal factuur|totaal incl|total a pagar|total da fatura|total fatura|valor total|total com iva|valor a pagar|total geral|total eur|total usd|total gbp|total chf|net payable|net total payable|nett total|nett payable|bill total|bill amount|sum total|total sum|amount to pay|total rm|total myr|total sgd|payable|to pay",
    ),
    weak: phrases(
      "total|totale|totaal|due|sum|somme|suma|summe|amount|montant|importe|importo|bedrag|total price|total value|a payer|ttc|total price|saldo|solde",
    ),
  },
  prepaid: {
    strong: phrases(
      "deposit|paid|amount paid|payments received|prepaid|advance|advance payment|less paid|erhaltene anzahlungen|anzahlung|bereits gezahlt|acompte|acompte verse|deja paye|anticipo|acconto|aanbetaling|reeds betaald|adiantamento|payment received|credit applied|credits|virement|less deposit|vorauszahlung",
    ),
  },
  allowance: {
    strong: phrases(
      "discount|rebate|less discount|rabatt|nachlass|gesamtbetrag der abschlage|abschlage|gesamtbetrag der zuschlage|zuschlage|remise|escompte|rem|descuento|sconto|korting|desconto|skonto|shipping|freight|delivery charge|postage|versandkosten|versand|fracht|frais de port|port|livraison|gastos de envio|spese di spedizione|verzendkosten|portes|handling|surcharge|carriage|tip|gratuity|service charge|rounding|rounding adj|rounding adjustment|round",
    ),
  },
  iban: { strong: phrases("iban|iban no|iban number|verkaufer iban|account iban") },
  vat_id: {
    strong: phrases(
      "vat id|vat no|vat number|vat reg no|vat registration|vat registration number|vat reg|tax id|tax number|gst no|gst id|gst reg no|ust id|ust idnr|ust id nr|ust ident nr|umsatzsteuer id|uid|uid nr|umsatzsteuer identifikationsnummer|n tva|numero tva|tva intracommunautaire|n tva intracommunautaire|no tva|n de tva|numero de tva|nif|cif|vat nif|partita iva|p iva|piva|p iva cf|btw nummer|btw nr|btw id|contribuinte|nipc|ustid|ustidnr|siret|abn|ein|id tva|vat",
    ),
  },
  delivery_date: {
    strong: phrases(
      "delivery date|date of delivery|shipping date|ship date|service date|supply date|lieferdatum|leistungsdatum|liefer und leistungsdatum|leistungszeitraum|liefer leistungszeitraum|lieferschein datum|date de livraison|date livraison|fecha de entrega|data consegna|leverdatum|data de entrega|order date|bestelldatum|auftragsdatum|date de commande|fecha de pedido|data ordine|besteldatum|billing period|period|vertrags datum|date of order|contract date|print date|date printed|auftrag datum",
    ),
  },
  other_number: {
    strong: phrases(
      "customer no|customer number|customer id|customer #|client no|client id|account no|account number|account #|acct no|kundennummer|kunden nr|kundennr|kd nr|numero client|n client|code client|no client|id client|numero de cliente|n cliente|codigo cliente|codice cliente|cod cliente|klantnummer|klant nr|debiteurnummer|numero de cliente|cod cliente|delivery note|delivery note no|lieferschein nr|lieferscheinnummer|lieferschein|bon de livraison|bl n|albaran|ddt|pakbon|guia|project no|project number|projekt nr|projektnummer|contract no|contract number|vertrags nr|vertragsnummer|auftrag nr|auftrags nr|auftragsnr|quote no|quotation no|angebot nr|angebotsnummer|devis n|steuernummer|steuer nr|st nr|siren|siret|rcs|hrb|gln|ean|gtin|sku|phone|tel|telephone|telefon|fax|mobile|page|seite|pagina|bic|swift|sort code|bank code|blz|kto nr|konto|job number|ticket no|terminal|token no|station id|reg no|company no|registration no|globale nummer|artikel nr|art nr|leitweg id|salesperson|sales rep|cashier|table no|ref no|contact|bearbeiter|personalnr|cost center|kostenstelle|abteilung|zip|postcode|mandatsreferenz|glaubiger id|glaubiger identifikationsnummer|mandate reference|creditor id|buchungsnummer|vehicle|licence no|n siret|code ape|ape|capital|naf|co reg no|company reg no|roc no",
    ),
  },
} satisfies Record<string, LabelWords>;

export type LabelName = keyof typeof labelWords;
