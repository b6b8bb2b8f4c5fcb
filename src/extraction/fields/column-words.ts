import { indexPhrases, makePhrase } from "./labels.ts";

export type ColumnRole =
  | "description"
  | "quantity"
  | "unit_price"
  | "total"
  | "tax_rate"
  | "discount"
  | "position"
  | "code"
  | "unit"
  | "date";

const words: Record<ColumnRole, string> = {
  description:
    "description|item description|item|items|product|products|product description|product name|article|artikel|artikelbezeichnung|artikelbeschreibung|bezeichnung|beschreibung|leistung|leistungsbeschreibung|designation|libelle|produit|prestation|prestations|descripcion|concepto|producto|articulo|detalle|descrizione|articolo|prodotto|omschrijving|descricao|designacao|produto|artigo|service|services|details|particulars|work|work performed|activity|task|goods|goods services|material|item desc|desc|nature|objet|denomination|dienstleistung|position bezeichnung|descriptif|item details|service description|prestazione|what|for",
  quantity:
    "qty|quantity|qte|quantite|menge|anzahl|hours|hrs|units|stk|stuck|stunden|cantidad|cant|uds|unidades|quantita|qta|q ta|aantal|quantidade|qtd|qt|qtde|nombre|nb|pcs|pieces|count|no of units|days|tage|jours|horas|ore|uren|qty shipped|shipped|ordered|quant|hours qty|qty hrs|nbre|heures|volume|num|q",
  unit_price:
    "unit price|price|rate|each|unit cost|cost|price each|price per unit|item price|unit price excl|nettopreis|einzelpreis|einzel|e preis|ep|preis|preis einh|preis einheit|stuckpreis|vk preis|prix unitaire|prix|pu|pu ht|p u|p u ht|prix unit|prix unitaire ht|prix u ht|prix ht unitaire|precio|precio unitario|p unit|precio unit|prezzo|prezzo unitario|prezzo unit|prijs|stukprijs|eenheidsprijs|prijs per stuk|preco|preco unitario|preco unit|tarif|tarief|unit rate|list price|price unit|per unit|u price|uprice|unit amount|hourly rate|rate hr|price item|unitaire|unit|tariffa|cost each|charge rate|taux horaire|tarif unitaire",
  total:
    "total|amount|line total|sum|charge|charges|net amount|betrag|gesamt|gesamtpreis|summe|nettobetrag|nettowert|zeilenbetrag|positionsbetrag|positions betrag|entgelt|gp|montant|montant ht|prix ht|total ht|importe|importo|totale|totaal|bedrag|valor|total price|extended|ext price|extension|ext|value|price total|subtotal|line amount|net price|net|total amount|total excl|net value|line value|netto|gesamtbetrag|total net|prix total|total ligne|montant total|importe total|importo totale|totale riga|totaal excl|regeltotaal|valor total|total ttc|montant ttc|total eur|amount usd|amount gbp|item total|total line|ext amount|line price|amt|line sum|total cost|prix total ht|netto betrag|gesamt netto|preis gesamt|positionssumme|rm total|total rm|amount rm|gross amount|line cost",
  tax_rate:
    "vat|vat rate|tax|mwst|ust|steuersatz|tva|iva|btw|tax rate|gst|steuer|taux|taux tva|tva taux|aliquota|tax %|vat %|mwst %|ust %|tva %|iva %|btw %|%|taxe|sales tax|tipo iva|tax code",
  discount:
    "discount|disc|rabatt|rem|remise|dto|descuento|sconto|korting|desconto|rabatt %|disc %|discount %|remise %|rem %|less|desc %|reduction",
  position: "#|pos|no|nr|item no|line|sr|sr no|s no|lfd|lfd nr|ln|line no|position|n|num|row|item #",
  code: "sku|code|item code|art nr|artnr|article no|ref|reference|product code|part no|part number|gtin|ean|artikelnummer|artikel nr|codigo|codice|art nr lief|art nr kunde|art nr lieferant|product id|stock code|stock no|cod|cod articolo|artikelcode|item number|model|product no|plu",
  unit: "uom|einheit|unite|unidad|um|eenheid|u m|me|unita|unidade|unit of measure|einh|vke geb",
  date: "date|datum|fecha|data|service date|date of service",
};

/** The words over the columns of a list of goods or services. */
export const columnIndex = indexPhrases(
  (Object.entries(words) as [ColumnRole, string][]).flatMap(([role, text]) =>
    text.split("|").map((phrase) => makePhrase(role, phrase, true)),
  ),
);
