// Names, towns, streets and goods of many countries out of @faker-js/faker, which is installed for this alone:
//   npm install --no-save @faker-js/faker@9 && node names.mjs > names.json
import { allFakers } from "@faker-js/faker";

const locales = {
  en: ["en_US", "en_GB", "en_AU", "en_CA", "en_IE", "en_ZA", "en_IN", "en"],
  de: ["de", "de_AT", "de_CH"],
  fr: ["fr", "fr_BE", "fr_CH", "fr_CA"],
  es: ["es", "es_MX"],
  it: ["it"],
  pt: ["pt_BR", "pt_PT"],
  nl: ["nl", "nl_BE"],
  da: ["da"],
  sv: ["sv"],
  no: ["nb_NO"],
  fi: ["fi"],
  pl: ["pl"],
  cs: ["cs_CZ"],
  sk: ["sk"],
  hu: ["hu"],
  ro: ["ro", "ro_MD"],
  hr: ["hr"],
  lv: ["lv"],
  tr: ["tr"],
  el: ["el"],
  ru: ["ru"],
  uk: ["uk"],
  id: ["id_ID"],
  vi: ["vi"],
};
const makers = {
  first: (f) => f.person.firstName(),
  last: (f) => f.person.lastName(),
  city: (f) => f.location.city(),
  street: (f) => f.location.streetAddress(),
  zip: (f) => f.location.zipCode(),
  state: (f) => f.location.state(),
  phone: (f) => f.phone.number(),
  company: (f) => f.company.name(),
  product: (f) => f.commerce.productName(),
};
const names = {};
for (const [language, places] of Object.entries(locales)) {
  const sets = Object.fromEntries(Object.keys(makers).map((kind) => [kind, new Set()]));
  for (const place of places) {
    const faker = allFakers[place];
    if (!faker) throw new Error(`faker has no ${place}`);
    faker.seed(7);
    for (const [kind, make] of Object.entries(makers)) {
      for (let count = 0; count < 400; count++) {
        try {
          const made = make(faker);
          if (typeof made === "string" && made.length < 60) sets[kind].add(made);
        } catch {
          break; // This country has none of its own.
        }
      }
    }
  }
  names[language] = Object.fromEntries(Object.entries(sets).map(([kind, set]) => [kind, [...set].slice(0, 900)]));
}
process.stdout.write(JSON.stringify(names));
