import { indexPhrases, makePhrase } from "./labels.ts";

export type PartyRole = "seller" | "buyer" | "other" | "name" | "address";

const words: Record<PartyRole, string> = {
  seller:
    "seller|from|supplier|vendor|sold by|issued by|issuer|service provider|remit to|payee|pay to|payable to|bill from|billed by|invoice from|provider|verkaufer|lieferant|rechnungssteller|rechnungsaussteller|absender|leistungserbringer|auftragnehmer|aussteller|vendeur|emetteur|fournisseur|prestataire|emis par|expediteur|vendedor|emisor|proveedor|emitido por|cedente|fornitore|venditore|mittente|emittente|cedente prestatore|leverancier|verkoper|afzender|van|fornecedor|emitente|prestador|merchant|our company|beneficiary|company|de|societe|exp|emetteur de la facture|entreprise|prestataire de services|datos del emisor|datos emisor|datos de la empresa|empresa|emesso da|dati fornitore|prestatore|uitgever|dienstverlener|leverancier gegevens|dados do fornecedor|supplier details|your supplier|invoiced by|biller|contractor|von|firma lieferant|rechnung von|sprzedawca|wystawca|dostawca|sprzedajacy|saljare|avsandare|leverantor|saelger|leverandor|selger|fra|dodavatel|prodavajici|furnizor|vanzator|elado|szallito|kiallito|myyja",
  buyer:
    "bill to|billed to|supplied to|billing to|bill to address|billing address|invoice to|invoiced to|invoice address|sold to|sold to party|customer|customer name|customer details|client|client name|buyer|purchaser|to|charge to|attention|attn|prepared for|for|account|account name|account of|recipient|payer|kaufer|kaufer leistungsempfanger|leistungsempfanger|rechnungsempfanger|rechnung an|rechnungsadresse|rechnungsanschrift|kunde|auftraggeber|empfanger|an|besteller|acheteur|client facture|facture a|facturer a|adresse de facturation|adresse facturation|destinataire|doit|adresse a|cliente|comprador|facturar a|facturado a|datos del cliente|datos cliente|destinatario|direccion de facturacion|adquirente|senor es|acquirente|cessionario|committente|intestatario|intestato a|spett le|spettabile|fatturare a|cessionario committente|destinatario fattura|klant|koper|factuur aan|factuuradres|gefactureerd aan|afnemer|aan|debiteur|faturar a|faturado a|comprador|dados do cliente|exmo s sr s|exmos senhores|adquirente|nom de l abonne|invoice for|billing details|your details|bill recipient|customer bill to|consumer|a l attention de|a l intention de|facture adressee a|adresse client|coordonnees client|client facturation|vos coordonnees|adresse du client|nom du client|beneficiaire de la facture|cliente facturacion|datos de facturacion|datos del comprador|cobrar a|facturacion|dati cliente|cliente fattura|fattura a|intestazione|spett|spett li|egregio|gentile|indirizzo di fatturazione|klantgegevens|factuur voor|t a v|facturatieadres|aan de heer|morada de faturacao|exmo s senhor es|exmo senhor|exmos srs|exmo sr|cliente final|entidade|sold to address|charged to|charge account|bill to customer|customer address|invoice recipient|prepared for client|billing contact|rechnung fur|kundenadresse|kundenanschrift|rechnungsnehmer|an herrn|an frau|nabywca|odbiorca|klient|kupujacy|platnik|kund|kopare|faktureras till|fakturaadress|fakturaadresse|kunde adresse|kober|kjoper|faktura til|til|till|odberatel|zakaznik|kupujici|cumparator|beneficiar|vevo|vasarlo|asiakas|ostaja|a i attention de|l attention de|i attention de|adressee a|facture pour|client n|a l ordre de",
  other:
    "ship to|shipping address|deliver to|delivery address|delivered to|delivery to|shipped to|consignee|ship from|shipping|lieferadresse|lieferanschrift|warenempfanger|abweichender warenempfanger|abweichender zahlungsempfanger|abweichender rechnungsempfanger|zahlungsempfanger|lieferung an|versand an|adresse de livraison|livre a|livraison|livrer a|lieu de livraison|direccion de envio|enviar a|direccion de entrega|entregar a|indirizzo di consegna|luogo di destinazione|destinazione|spedire a|destinazione merce|afleveradres|bezorgadres|leveringsadres|leveren aan|morada de entrega|local de entrega|local de descarga|entregar em|contact commercial|adresse de l installation|bank details|payment details|payment information|bankverbindung|coordonnees bancaires|datos bancarios|coordinate bancarie|bankgegevens|dados bancarios|notes|bemerkungen|details|description|beschreibung|item|artikel|invoice details|terms|payment terms|order details|positionsdaten|summary|invoice summary|remarks|abteilung|references|site address|service address|job site|project|work address|livre a l adresse|adresse d intervention|adresse du chantier|lieu d intervention|chantier|indirizzo spedizione|odbiorca towaru|miejsce dostawy|leveransadress|leveringsadresse|leveres til|dodaci adresa|adresa livrare|szallitasi cim|toimitusosoite|reglement|mode de reglement|forma de pago|modalita di pagamento|zahlungsart",
  name: "name|firma|firmenname|company name|nom|raison sociale|denomination|nombre|razon social|denominazione|ragione sociale|naam|bedrijfsnaam|nome|business name|kontoname",
  address: "address|anschrift|adresse|direccion|indirizzo|adres|morada|endereco|domicilio|sede|strasse|street",
};

/** What stands over or before the parties of a document. */
export const partyIndex = indexPhrases(
  (Object.entries(words) as [PartyRole, string][]).flatMap(([role, text]) =>
    text.split("|").map((phrase) => makePhrase(role, phrase, phrase.length > 4)),
  ),
);

/** Legal forms that mark the name of a company; "5611 AB" is a Dutch postcode. */
export const companySuffix =
  /(?<![\p{L}]|\d{4} )(gmbh( & co\.? ?kgaa| & co\.? ?kg)?|mbh|ug( \(haftungsbeschränkt\))?|ag|kg|ohg|gbr|e\.? ?k\.?|e\.? ?v\.?|se|ltd\.?|limited|llc|l\.l\.c\.|inc\.?|incorporated|corp\.?|corporation|plc|llp|pty\.?|pte\.?|co\.|company|sdn\.?|bhd\.?|enterprises?|trading|sarl|s\.a\.r\.l\.?|sas|s\.a\.s\.?|sasu|eurl|sa|s\.a\.?|snc|s\.n\.c\.?|sci|scop|srl|s\.r\.l\.?|spa|s\.p\.a\.?|sl|s\.l\.?|slu|s\.l\.u\.?|lda\.?|ltda\.?|unipessoal|b\.?v\.?|n\.?v\.?|vof|v\.o\.f\.?|oy|ab|aps|a\/s|as|group|holdings?|association|university|council|bank|consulting|hospital|school|institute|foundation|society|trust|partners|services|solutions|logistics|industries|verein|stiftung|genossenschaft|eg|sp\. ?z ?o\.? ?o\.?|sp\. ?[jk]\.|s\.r\.o\.|spol\.|& co|& sons?|& filhos|& figli|& fils|c\.b\.)(?![\p{L}])/iu;

const countries =
  /^(deutschland|germany|france|frankreich|españa|spain|italia|italy|italien|nederland|netherlands|portugal|österreich|austria|schweiz|switzerland|suisse|belgique|belgium|belgië|united kingdom|uk|usa|united states|u\.s\.a\.?|ireland|luxembourg|polska|poland|malaysia|singapore|australia|canada|deutschland \/ germany)$/i;

/** A line with a postcode and a town, in the ways the covered countries write it. */
export function isPostalLine(text: string): boolean {
  return (
    /(?<![\d\p{L}-])(?:[A-Z]{1,3}[- ])?\d{4,5}(?:[- ]\d{3})? ?,? *[\p{Lu}][\p{L}.'’ -]{2,}/u.test(text) ||
    /[\p{L}.'’ -]{2,},? [A-Z]{2},? \d{5}(-\d{4})?\b/u.test(text) ||
    /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b/.test(text) ||
    /\b\d{4} ?[A-Z]{2}\b +[\p{Lu}]/u.test(text) ||
    /(?<![\d-])\d{2}-\d{3} +\p{Lu}|(?<![\d-])\d{3} \d{2} +\p{Lu}\p{Ll}/u.test(text) ||
    /\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b/.test(text) ||
    /\b(NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \d{4}\b/.test(text)
  );
}

export function isCountry(text: string): boolean {
  return countries.test(text.trim());
}

/** A street with a house number, or a box. */
export function isStreetLine(text: string): boolean {
  return (
    /^\d+[a-z]?[,/ -].*\p{L}{2}/u.test(text) ||
    /\p{L}{3,}\.? ?\d+ ?[a-z]?(?:[-/–]\d+[a-z]?)?$/iu.test(text) ||
    /\b(street|st\.|road|rd|avenue|ave|lane|drive|blvd|boulevard|way|court|suite|floor|unit|p\.? ?o\.? box|strasse|straße|str\.|weg|platz|allee|gasse|rue|chemin|impasse|place|calle|avenida|avda|plaza|via|viale|piazza|corso|straat|laan|plein|rua|travessa|largo|ul\.|al\.|pl\.|gatan|vägen|vej|gate|gata|jalan|jln|lot|lorong|taman|no\.)(?![\p{L}])/iu.test(
      text,
    )
  );
}

/** Ways to reach somebody: never a name or an address. */
export function isContactLine(text: string): boolean {
  return (
    /@|www\.|https?:|(?<![\p{L}\d])(tel|tél|phone|fax|fon|mobile|telefon|téléphone|e-?mail|hrb|hra|siret|gst|vat|ust|tva|iban|bic|swift|capital|geschäftsführer|amtsgericht|nif|cif|p\.? ?iva|btw|kvk|abn|reg\.?)(?![\p{L}\d])/iu.test(
      text,
    ) || /^\+?[\d\s()./-]{7,}$/.test(text)
  );
}
