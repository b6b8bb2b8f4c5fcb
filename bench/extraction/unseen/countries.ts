/** Where a document comes from: how numbers, dates and addresses are written there, and who lives there. */
export interface Country {
  readonly code: string;
  readonly language: string;
  readonly currency: string;
  /** How an amount shows its currency; "" when only a code beside the total tells. */
  readonly sign: string;
  readonly signBefore: boolean;
  readonly thousands: string;
  readonly decimal: string;
  readonly decimals: number;
  /** With d, m, y, or `long` for a month by name. */
  readonly dates: readonly string[];
  readonly rates: readonly [number, number];
  readonly companies: readonly string[];
  readonly people: readonly string[];
  readonly streets: readonly string[];
  readonly towns: readonly string[];
  readonly banks: readonly string[];
  /** A tax number that is right by its own check digits. */
  readonly vatIds: readonly string[];
  readonly months: readonly string[];
  /** Length of the account part of an IBAN. */
  readonly iban: number;
}

const months: Record<string, string> = {
  en: "January February March April May June July August September October November December",
  de: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  it: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  nl: "januari februari maart april mei juni juli augustus september oktober november december",
  pt: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  pl: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
  sv: "januari februari mars april maj juni juli augusti september oktober november december",
  da: "januar februar marts april maj juni juli august september oktober november december",
  cs: "ledna února března dubna května června července srpna září října listopadu prosince",
  fi: "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
  ro: "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
  hu: "január február március április május június július augusztus szeptember október november december",
};

const make = (
  code: string,
  language: string,
  money: string,
  dates: string,
  rates: [number, number],
  iban: number,
  people: { companies: string; persons: string; streets: string; towns: string; banks: string; vat: string },
): Country => {
  const [currency, sign, place, marks, decimals] = money.split(" ");
  return {
    code,
    language,
    currency: currency!,
    sign: sign === "-" ? "" : sign!,
    signBefore: place === "<",
    thousands: marks![0] === "_" ? " " : marks![0]!,
    decimal: marks![1]!,
    decimals: Number(decimals ?? 2),
    dates: dates.split("|"),
    rates,
    iban,
    companies: people.companies.split("|"),
    people: people.persons.split("|"),
    streets: people.streets.split("|"),
    towns: people.towns.split("|"),
    banks: people.banks.split("|"),
    vatIds: people.vat.split("|"),
    months: months[language]!.split(" "),
  };
};

export const countries: readonly Country[] = [
  make("GB", "en", "GBP £ < ,.", "d/m/y|d long y|d-mon-y", [20, 5], 18, {
    companies: "Harrow & Finch Ltd|Bluebird Joinery|Moorland Supplies Limited|Tidewater Marine LLP|Ashdown Print Works",
    persons: "Eleanor Hall|Dr Samir Patel|Owen Price",
    streets: "14 Market Street|Unit 7, Forge Lane|2 The Crescent|89 Station Road",
    towns: "Leeds LS2 7EW|Bristol BS1 4DJ|York YO1 9TL|Norwich NR3 1AB",
    banks: "Northgate Bank plc|Mercia Building Society",
    vat: "GB980780684|GB123456782",
  }),
  make("US", "en", "USD $ < ,.", "m/d/y|long d, y|y-m-d", [8, 6], 0, {
    companies:
      "Cascade Tool & Die Inc.|Prairie Web Studio LLC|Oakhurst Catering|Delta Freight Corp.|Pinecrest Dental Group",
    persons: "Marcia Lopez|Henry Olson|Grace Kim",
    streets: "1204 Elm Avenue|PO Box 3321|77 Harbor Blvd, Suite 210|415 N 3rd St",
    towns: "Portland, OR 97205|Austin, TX 78701|Dayton, OH 45402|Fresno, CA 93721",
    banks: "First Prairie Bank|Harbor Credit Union",
    vat: "93-4421178|47-1190034",
  }),
  make("DE", "de", "EUR € > .,", "d.m.y|d. long y|y-m-d", [19, 7], 18, {
    companies:
      "Tischlerei Brandt GmbH|Elbe Werkzeuge KG|Hofladen Sonnental|Nordlicht Medien UG (haftungsbeschränkt)|Wagner & Söhne OHG",
    persons: "Petra Lindner|Dr. Jens Albrecht|Familie Kurz",
    streets: "Lindenstraße 12|Am Hang 3a|Industrieweg 45|Postfach 11 02",
    towns: "20095 Hamburg|01067 Dresden|79098 Freiburg|50667 Köln",
    banks: "Sparkasse Elbtal|Volksbank Nordheide eG",
    vat: "DE136695976|DE129273398",
  }),
  make("AT", "de", "EUR - > .,", "d.m.y|d.m.yy", [20, 10], 16, {
    companies: "Alpenholz GmbH|Wiener Kaffeehaus KG|Donau Elektro e.U.",
    persons: "Maria Gruber|Ing. Franz Huber",
    streets: "Hauptplatz 8|Mariahilfer Straße 101/4|Bahnhofgasse 2",
    towns: "1070 Wien|8010 Graz|5020 Salzburg",
    banks: "Raiffeisenkasse Innviertel|Steirische Bank AG",
    vat: "ATU13585627|ATU66664013",
  }),
  make("CH", "de", "CHF - < '.", "d.m.y|d. long y", [8.1, 2.6], 17, {
    companies: "Bergbahn Ausrüstung AG|Zürisee Treuhand GmbH|Käserei Emmental",
    persons: "Urs Zbinden|Regula Meier",
    streets: "Seestrasse 210|Dorfplatz 1|Im Grund 17",
    towns: "8001 Zürich|3011 Bern|6003 Luzern",
    banks: "Kantonalbank Seeland|Bank am Bellevue AG",
    vat: "CHE-123.456.788 MWST|CHE-109.322.551 MWST",
  }),
  make("FR", "fr", "EUR € > _,", "d/m/y|d long y|d-m-y", [20, 10], 23, {
    companies: "Menuiserie Caron SARL|Atelier du Lin|Garage Perrin SAS|Les Vergers de Maud EURL|Imprimerie Duval SA",
    persons: "Mme Claire Fontaine|M. Hugo Marchand",
    streets: "8 rue des Tanneurs|25 bis avenue Foch|Z.A. Les Peupliers|3 place du Marché",
    towns: "69007 Lyon|35000 Rennes|13006 Marseille|67000 Strasbourg",
    banks: "Banque du Littoral|Crédit Rural de l'Ouest",
    vat: "FR40303265045|FR23334175221",
  }),
  make("BE", "fr", "EUR € > .,", "d/m/y|d.m.y", [21, 6], 12, {
    companies: "Chocolaterie Delvaux SRL|Brasserie du Canal SA|Toitures Lambert",
    persons: "Mme Anne Peeters|M. Luc Simon",
    streets: "Rue Haute 44|Chaussée de Mons 120|Place Saint-Pierre 6",
    towns: "1000 Bruxelles|4000 Liège|5000 Namur",
    banks: "Banque Mosane|Crédit Brabançon",
    vat: "BE0428759497|BE0403170701",
  }),
  make("ES", "es", "EUR € > .,", "d/m/y|d de long de y|d-m-y", [21, 10], 20, {
    companies: "Talleres Romero S.L.|Distribuciones Vega S.A.|Floristería Lirio|Estudio Marín SLU",
    persons: "Lucía Ortega|José Ramón Gil",
    streets: "Calle Mayor 15, 2º B|Avda. de la Paz 88|Polígono Sur, nave 4",
    towns: "28013 Madrid|41001 Sevilla|46002 Valencia|15003 A Coruña",
    banks: "Banco del Sur|Caja Rural Montaña",
    vat: "B64717838|A28015865",
  }),
  make("IT", "it", "EUR € < .,", "d/m/y|d long y", [22, 10], 23, {
    companies: "Officine Ferraro S.r.l.|Panificio Bianchi|Studio Conti e Associati|Marmi Toscani S.p.A.",
    persons: "Giulia Moretti|Dott. Paolo Riva",
    streets: "Via Garibaldi 22|Piazza Dante, 5|Viale Europa 130/B",
    towns: "20121 Milano (MI)|50123 Firenze (FI)|80132 Napoli (NA)",
    banks: "Banca Valsugana|Credito Ligure S.p.A.",
    vat: "IT07643520567|IT00743110157",
  }),
  make("NL", "nl", "EUR € < .,", "d-m-y|d long y", [21, 9], 14, {
    companies: "Kwekerij Van Dam B.V.|De Haan Installatie|Grachten Media VOF|Bakker Transport B.V.",
    persons: "mevr. S. de Wit|Pieter Vos",
    streets: "Keizersgracht 210|Dorpsstraat 9|Havenweg 31-b",
    towns: "1015 CJ Amsterdam|3511 LX Utrecht|9711 PM Groningen",
    banks: "Noorderbank N.V.|Coöperatieve Polderbank",
    vat: "NL004495445B01|NL123456789B13",
  }),
  make("PT", "pt", "EUR € > .,", "d/m/y|y-m-d|d-m-y", [23, 6], 21, {
    companies: "Cerâmica do Minho Lda|Padaria Aurora|Metalúrgica Tejo S.A.|Silva & Irmãos, Lda.",
    persons: "Ana Beatriz Sousa|Eng.º Rui Matos",
    streets: "Rua da Boavista 45, 3.º Esq.|Avenida Central 200|Travessa do Sol 8",
    towns: "4000-123 Porto|1200-456 Lisboa|3000-200 Coimbra",
    banks: "Banco Atlântico|Caixa do Minho",
    vat: "PT501964843|PT500697256",
  }),
  make("PL", "pl", "PLN zł > _,", "d.m.y|y-m-d|d long y", [23, 8], 24, {
    companies: "Stolarnia Dąb Sp. z o.o.|Hurtownia Wisła S.A.|Usługi Remontowe Nowak|Drukarnia Łódzka Sp. k.",
    persons: "Agnieszka Wójcik|Tomasz Zieliński",
    streets: "ul. Długa 15/3|al. Niepodległości 120|ul. Polna 7",
    towns: "00-950 Warszawa|80-831 Gdańsk|31-042 Kraków",
    banks: "Bank Mazowiecki S.A.|Bank Spółdzielczy Zawada",
    vat: "5261040828|7740001454",
  }),
  make("SE", "sv", "SEK kr > _,", "y-m-d|d long y", [25, 12], 20, {
    companies: "Björk Bygg AB|Norrsken Design|Lindgrens Fisk HB|Skånska Verktyg AB",
    persons: "Karin Lund|Erik Sandberg",
    streets: "Storgatan 14|Björkvägen 3|Hamngatan 22 B",
    towns: "111 51 Stockholm|411 05 Göteborg|903 26 Umeå",
    banks: "Mälarbanken|Norrlands Sparbank",
    vat: "SE556188840401|SE556036079301",
  }),
  make("DK", "da", "DKK kr. < .,", "d.m.y|d. long y|d-m-y", [25, 25], 14, {
    companies: "Sønderby Tømrer ApS|Havnens Fisk A/S|Grafisk Værksted",
    persons: "Mette Holm|Lars Krogh",
    streets: "Nørregade 12|Strandvejen 201, 1. tv.|Industrivej 5",
    towns: "2100 København Ø|8000 Aarhus C|5000 Odense",
    banks: "Vestbanken A/S|Fynske Sparekasse",
    vat: "DK13585628|DK88146328",
  }),
  make("CZ", "cs", "CZK Kč > _,", "d.m.y|d. m. y", [21, 12], 20, {
    companies: "Truhlářství Dvořák s.r.o.|Potraviny U Mlýna|Strojírny Haná a.s.",
    persons: "Jana Nováková|Petr Svoboda",
    streets: "Dlouhá 25|Náměstí Míru 4|Průmyslová 1200/8",
    towns: "110 00 Praha 1|602 00 Brno|779 00 Olomouc",
    banks: "Moravská banka a.s.|Spořitelna Vltava",
    vat: "CZ25123891|CZ46505334",
  }),
  make("FI", "fi", "EUR € > _,", "d.m.y|d. long y", [25.5, 14], 14, {
    companies: "Koivun Puusepät Oy|Järvikahvila|Pohjolan Kone Oyj",
    persons: "Aino Virtanen|Mikko Salo",
    streets: "Mannerheimintie 12 A 4|Koulukatu 7|Rantatie 31",
    towns: "00100 Helsinki|33100 Tampere|90100 Oulu",
    banks: "Saimaan Pankki Oyj|Pohjanmaan Säästöpankki",
    vat: "FI20774740|FI01120389",
  }),
  make("RO", "ro", "RON lei > .,", "d.m.y|d/m/y", [19, 9], 20, {
    companies: "Tâmplăria Carpați SRL|Distribuție Dunărea S.A.|Florăria Magnolia PFA",
    persons: "Ioana Popescu|Andrei Munteanu",
    streets: "Str. Lipscani nr. 18|Bd. Unirii 45, bl. C2|Calea Victoriei 100",
    towns: "030031 București|400001 Cluj-Napoca|300001 Timișoara",
    banks: "Banca Carpatica|Banca Dunării S.A.",
    vat: "RO18547290|RO14399840",
  }),
  make("HU", "hu", "HUF Ft > _, 0", "y.m.d.|y. long d.", [27, 5], 24, {
    companies: "Tölgyfa Bútor Kft.|Duna Gépgyár Zrt.|Kovács Pékség Bt.",
    persons: "Nagy Katalin|Szabó Péter",
    streets: "Kossuth Lajos utca 12.|Fő tér 3.|Petőfi u. 44.",
    towns: "1051 Budapest|6720 Szeged|4024 Debrecen",
    banks: "Tiszai Bank Nyrt.|Balaton Takarék Zrt.",
    vat: "HU12892312|13529616-2-42",
  }),
];
