import { emojiNames, noun, type ReadingRules } from "../rules.ts";

/** Every number under a hundred has a name of its own. */
const NAMES =
  "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे".split(
    " ",
  );
const MONTHS = "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर".split(" ");
const ORDINALS = " पहला दूसरा तीसरा चौथा पाँचवाँ छठा".split(" ");
const SCALES = [
  [1e9, "अरब"],
  [1e7, "करोड़"],
  [1e5, "लाख"],
  [1000, "हज़ार"],
  [100, "सौ"],
] as const;

function cardinal(value: number): string {
  if (value < 100) return NAMES[value]!;
  for (const [size, name] of SCALES) {
    if (value < size) continue;
    const rest = value % size;
    return `${cardinal(Math.floor(value / size))} ${name}${rest ? ` ${cardinal(rest)}` : ""}`;
  }
  return "";
}

function year(value: number): string {
  const [century, rest] = [Math.floor(value / 100), value % 100];
  return value >= 1100 && value < 2000 ? `${NAMES[century]} सौ${rest ? ` ${NAMES[rest]}` : ""}` : cardinal(value);
}

const rupee = { unit: noun("रुपया", "रुपये"), part: noun("पैसा", "पैसे") };

export const hindiRules: ReadingRules = {
  first: (text) => text.replace(/[०-९]/gu, (digit) => String(digit.charCodeAt(0) - 0x966)),
  decimalSign: ".",
  cardinal,
  count: cardinal,
  ordinal: (value) => ORDINALS[value] ?? `${cardinal(value)}वाँ`,
  ordinalForms: [{ pattern: /(\d+)(?:वाँ|वां|वा|वें|वीं)/gu, gender: "m" }],
  year,
  date: (day, month, whichYear) =>
    `${cardinal(day)} ${MONTHS[month - 1]}${whichYear === undefined ? "" : ` ${year(whichYear)}`}`,
  isMonthFirst: false,
  time: (hour, minute) => (minute === 0 ? `${cardinal(hour)} बजे` : `${cardinal(hour)} बजकर ${cardinal(minute)} मिनट`),
  timeSuffix: /बजे/u,
  minus: "ऋण",
  point: "दशमलव",
  readsDecimalsAsNumber: false,
  percent: "प्रतिशत",
  to: "से",
  plus: "प्लस",
  and: "",
  currencies: {
    "₹": rupee,
    "रु.": rupee,
    INR: rupee,
    $: { unit: noun("डॉलर"), part: noun("सेंट") },
    USD: { unit: noun("डॉलर"), part: noun("सेंट") },
    "€": { unit: noun("यूरो"), part: noun("सेंट") },
    "£": { unit: noun("पाउंड"), part: noun("पेंस") },
    "¥": { unit: noun("येन") },
  },
  magnitudes: { हज़ार: "हज़ार", हजार: "हज़ार", लाख: "लाख", करोड़: "करोड़", अरब: "अरब" },
  ofMillions: (unit) => unit,
  per: "प्रति",
  units: {
    km: noun("किलोमीटर"),
    किमी: noun("किलोमीटर"),
    "कि.मी.": noun("किलोमीटर"),
    m: noun("मीटर"),
    cm: noun("सेंटीमीटर"),
    सेमी: noun("सेंटीमीटर"),
    mm: noun("मिलीमीटर"),
    kg: noun("किलोग्राम"),
    किग्रा: noun("किलोग्राम"),
    g: noun("ग्राम"),
    l: noun("लीटर"),
    ml: noun("मिलीलीटर"),
    "km/h": noun("किलोमीटर प्रति घंटा"),
    "°C": noun("डिग्री सेल्सियस"),
    "°": noun("डिग्री"),
    MB: noun("मेगाबाइट"),
    GB: noun("गीगाबाइट"),
  },
  signs: {
    at: "ऐट",
    dot: "डॉट",
    slash: "स्लैश",
    dash: "डैश",
    underscore: "अंडरस्कोर",
    ampersand: "और",
    hash: "हैशटैग",
    equals: "बराबर",
  },
  abbreviations: [
    [/डॉ\.(?=\s)/gu, "डॉक्टर"],
    [/प्रो\.(?=\s)/gu, "प्रोफ़ेसर"],
    [/श्री\.(?=\s)/gu, "श्री"],
    [/(?<!\p{L})कु\.(?=\s)/gu, "कुमारी"],
    [/(?<!\p{L})सं\.(?=\s?\d)/gu, "संख्या"],
  ],
  shortWords: new Set(),
  emoji: emojiNames("दिल|बढ़िया|ख़राब|हँसी|मुस्कान|प्यार|रोना|गुस्सा|जश्न|आग|तालियाँ|नमस्ते|सही|ग़लत|तारा|सूरज"),
};
