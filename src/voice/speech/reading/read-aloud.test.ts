import { describe, expect, it } from "vitest";
import { readAloud } from "./read-aloud.ts";

/** Written on the left, read on the right. */
type Case = readonly [string, string];

const english: Case[] = [
  ["0", "zero"],
  ["I have 21 cats.", "I have twenty-one cats."],
  ["1,234,567 people", "one million two hundred thirty-four thousand five hundred sixty-seven people"],
  ["3.14", "three point one four"],
  ["-5 degrees", "minus five degrees"],
  ["the 1st, 2nd, 3rd and 22nd", "the first, second, third and twenty-second"],
  ["In 1992 and 2005 and 2024.", "In nineteen ninety-two and two thousand five and twenty twenty-four."],
  ["since 1900", "since nineteen hundred"],
  ["the 1990s and the '80s", "the nineteen nineties and the eighties"],
  ["on 2024-03-05", "on March fifth, twenty twenty-four"],
  ["on 3/5/2024", "on March fifth, twenty twenty-four"],
  ["25/12/2023", "December twenty-fifth, twenty twenty-three"],
  ["March 5, 2024", "March fifth, twenty twenty-four"],
  ["on July 4th", "on July fourth"],
  ["5 June 2019", "the fifth of June, twenty nineteen"],
  ["at 14:30", "at fourteen thirty"],
  ["at 9:05", "at nine oh five"],
  ["at 8:00", "at eight o'clock"],
  ["at 3 pm", "at three P M"],
  ["We close at 5 p.m. Come early.", "We close at five P M. Come early."],
  ["at 3:45 p.m. today", "at three forty-five P M today"],
  ["$1", "one dollar"],
  ["$12.50", "twelve dollars and fifty cents"],
  ["$0.99", "ninety-nine cents"],
  ["$1,000", "one thousand dollars"],
  ["£3.20 or €5", "three pounds and twenty pence or five euros"],
  ["$3 million", "three million dollars"],
  ["$2.5B", "two point five billion dollars"],
  ["₹500", "five hundred rupees"],
  ["45%", "forty-five percent"],
  ["5 km at 90 km/h", "five kilometers at ninety kilometers per hour"],
  ["1 kg", "one kilogram"],
  ["21°C", "twenty-one degrees Celsius"],
  ["6 ft 2", "six feet two"],
  ["16GB", "sixteen gigabytes"],
  ["10-20 people", "ten to twenty people"],
  ["1/2 cup and 3/4", "one half cup and three quarters"],
  ["Dr. Smith and Mrs. Jones", "Doctor Smith and Missus Jones"],
  ["St. Peter lives on Main St.", "Saint Peter lives on Main Street"],
  ["fruit, e.g. apples, etc.", "fruit, for example, apples, et cetera"],
  ["No. 5 is #1", "number five is number one"],
  ["jane.doe@example.com", "jane dot doe at example dot com"],
  ["See https://www.example.com/a-b.", "See example dot com slash a dash b."],
  ["Visit example.org, please", "Visit example dot org, please"],
  ["the FBI and HTML", "the F B I and H T M L"],
  ["NASA said STOP", "nasa said stop"],
  ["THIS IS VERY IMPORTANT", "this is very important"],
  ["MP3 and COVID-19", "M P three and covid nineteen"],
  ["I ❤️ New York", "I love New York"],
  ["Great job 👍🎉", "Great job"],
  ["👍", "thumbs up"],
  ["R&B", "R and B"],
  ["call 555-123-4567", "call five five five, one two three, four five six seven"],
  ["+44 20 7946 0958", "plus four four, two zero, seven nine four six, zero nine five eight"],
  ["agent 007", "agent zero zero seven"],
  ["#love", "hashtag love"],
  ["the CIA at 9 am", "the C I [A](/ˈeɪ/) at nine [A](/ˈeɪ/) M"],
  ["A cat", "A cat"],
  ["Version 2.0.1 is out.", "Version two point zero point one is out."],
  ["open 24/7", "open twenty-four seven"],
  [`5'11" tall`, "five foot eleven tall"],
  ["3x faster, 10k users", "three times faster, ten thousand users"],
  ["$3.50/kg", "three dollars and fifty cents per kilogram"],
  ["on Tues., Jan. 5 at Mt. Everest", "on Tuesday, January fifth at Mount Everest"],
  ["May 2024", "May twenty twenty-four"],
  ["the WHO", "the W H O"],
];

const spanish: Case[] = [
  ["21 gatos", "veintiuno gatos"],
  ["1.234,5", "mil doscientos treinta y cuatro coma cinco"],
  ["1.000.000", "un millón"],
  ["101", "ciento uno"],
  ["el 5/3/2024", "el cinco de marzo de dos mil veinticuatro"],
  ["a las 14:30", "a las catorce y treinta"],
  ["a las 9:00", "a las nueve en punto"],
  ["12,50 €", "doce euros con cincuenta céntimos"],
  ["$1", "un dólar"],
  ["3 millones €", "tres millones de euros"],
  ["45 %", "cuarenta y cinco por ciento"],
  ["90 km/h", "noventa kilómetros por hora"],
  ["1 h", "una hora"],
  ["el 1º y la 2ª", "el primero y la segunda"],
  ["El Sr. Pérez", "El señor Pérez"],
  ["EE. UU.", "Estados Unidos"],
  ["ana@ejemplo.es", "ana arroba ejemplo punto es"],
  ["la ONU y la DGT", "la O N U y la D G T"],
  ["1992", "mil novecientos noventa y dos"],
  ["-3", "menos tres"],
  ["2,99 €/kg", "dos euros con noventa y nueve céntimos por kilogramo"],
  ["1.000.000 €", "un millón de euros"],
];

const french: Case[] = [
  ["71, 80, 81, 91, 99", "soixante et onze, quatre-vingts, quatre-vingt-un, quatre-vingt-onze, quatre-vingt-dix-neuf"],
  ["200 et 201", "deux cents et deux cent un"],
  ["1 234,5", "mille deux cent trente-quatre virgule cinq"],
  ["le 01/05/2024", "le premier mai deux mille vingt-quatre"],
  ["à 14h30", "à quatorze heures trente"],
  ["à 9:00", "à neuf heures"],
  ["12,50 €", "douze euros et cinquante centimes"],
  ["45 %", "quarante-cinq pour cent"],
  ["le 1er et le 2e", "le premier et le deuxième"],
  ["la 9e", "la neuvième"],
  ["5 km", "cinq kilomètres"],
  ["M. Dupont et Mme Martin", "monsieur Dupont et madame Martin"],
  ["n° 5", "numéro cinq"],
  ["3 millions €", "trois millions d'euros"],
  ["1 000 000 $", "un million de dollars"],
  ["la SNCF", "la S N C F"],
  ["marie@exemple.fr", "marie arobase exemple point fr"],
  ["1992", "mille neuf cent quatre-vingt-douze"],
];

const german: Case[] = [
  ["21 und 101", "einundzwanzig und einhunderteins"],
  ["1.234,5", "eintausendzweihundertvierunddreißig Komma fünf"],
  ["1992 und 2024", "neunzehnhundertzweiundneunzig und zweitausendvierundzwanzig"],
  ["am 5. März 2024", "am fünften März zweitausendvierundzwanzig"],
  ["5.3.2024", "fünfter März zweitausendvierundzwanzig"],
  ["Am 24.12.2023", "Am vierundzwanzigsten Dezember zweitausenddreiundzwanzig"],
  ["bis zum 1.5.", "bis zum ersten Mai"],
  ["um 14:30 Uhr", "um vierzehn Uhr dreißig"],
  ["um 9 Uhr", "um neun Uhr"],
  ["12,50 €", "zwölf Euro fünfzig Cent"],
  ["1 €", "ein Euro"],
  ["3 Mio. €", "drei Millionen Euro"],
  ["45 %", "fünfundvierzig Prozent"],
  ["1 h", "eine Stunde"],
  ["90 km/h", "neunzig Stundenkilometer"],
  ["im 3. Stock", "im dritten Stock"],
  ["z. B. Äpfel usw.", "zum Beispiel Äpfel und so weiter"],
  ["Dr. Müller, Nr. 7", "Doktor Müller, Nummer sieben"],
  ["die BRD", "die B R D"],
  ["max@beispiel.de", "max ät beispiel Punkt D E"],
  ["1.000.000", "eine Million"],
];

const italian: Case[] = [
  ["21, 28 e 33", "ventuno, ventotto e trentatré"],
  ["1.234", "milleduecentotrentaquattro"],
  ["2.000", "duemila"],
  ["il 1/5/2024", "il primo maggio duemilaventiquattro"],
  ["alle 9:30", "alle nove e mezza"],
  ["12,50 €", "dodici euro e cinquanta centesimi"],
  ["1 €", "un euro"],
  ["45%", "quarantacinque per cento"],
  ["il 1º e la 3ª", "il primo e la terza"],
  ["5 km", "cinque chilometri"],
  ["la Sig.ra Rossi, ecc.", "la signora Rossi, eccetera"],
  ["3,5", "tre virgola cinque"],
  ["luca@esempio.it", "luca chiocciola esempio punto it"],
  ["la RAI e il TGV", "la R A I e il T G V"],
];

const portuguese: Case[] = [
  ["21 e 100", "vinte e um e cem"],
  ["1.234", "mil duzentos e trinta e quatro"],
  ["2024", "dois mil e vinte e quatro"],
  ["5/3/2024", "cinco de março de dois mil e vinte e quatro"],
  ["às 14h30", "às catorze e trinta"],
  ["às 9:00", "às nove horas"],
  ["R$ 12,50", "doze reais e cinquenta centavos"],
  ["R$ 1", "um real"],
  ["R$ 3 milhões", "três milhões de reais"],
  ["45%", "quarenta e cinco por cento"],
  ["o 1º e a 2ª", "o primeiro e a segunda"],
  ["5 km", "cinco quilômetros"],
  ["o Sr. Silva e a Dra. Souza", "o senhor Silva e a doutora Souza"],
  ["ana@exemplo.com", "ana arroba exemplo ponto com"],
  ["-3,5", "menos três vírgula cinco"],
  ["a ONU", "a ó N U"],
];

const hindi: Case[] = [
  ["21 लोग", "इक्कीस लोग"],
  ["२५", "पच्चीस"],
  ["1,00,000", "एक लाख"],
  ["3.5", "तीन दशमलव पाँच"],
  ["₹500", "पाँच सौ रुपये"],
  ["₹12.50", "बारह रुपये पचास पैसे"],
  ["45%", "पैंतालीस प्रतिशत"],
  ["5 km", "पाँच किलोमीटर"],
  ["14:30 बजे", "चौदह बजकर तीस मिनट"],
  ["15/8/1947", "पंद्रह अगस्त उन्नीस सौ सैंतालीस"],
  ["₹3 करोड़", "तीन करोड़ रुपये"],
  ["डॉ. शर्मा", "डॉक्टर शर्मा"],
  ["2024 में", "दो हज़ार चौबीस में"],
];

describe.each([
  ["en-us", english],
  ["es", spanish],
  ["fr", french],
  ["de", german],
  ["it", italian],
  ["pt-br", portuguese],
  ["hi", hindi],
])("reading aloud in %s", (language, cases) => {
  it.each(cases)("%s", (written, read) => {
    expect(readAloud(written, language)).toBe(read);
  });
});

describe("reading aloud", () => {
  it("in Britain the day comes first and hundreds take an and", () => {
    expect(readAloud("On 3/5/2024 there were 101.", "en-gb")).toBe(
      "On the third of May, twenty twenty-four there were one hundred and one.",
    );
  });

  it("pronunciations that were given are left alone", () => {
    expect(readAloud("The [GIF](/dʒɪf/) has 2 frames", "en-us")).toBe("The [GIF](/dʒɪf/) has two frames");
  });

  it("other languages are left to the phonemizer, without emoji", () => {
    expect(readAloud("Jag har 21 katter 😀.", "sv")).toBe("Jag har 21 katter.");
  });
});
