import type { RomanRules } from "../roman.ts";
import type { Gender, ReadingRules } from "../rules.ts";

/** In Spanish and Portuguese rulers and centuries are counted first to tenth, then eleven, twelve. */
const ordinalToTen = (value: number, gender: Gender, rules: ReadingRules) =>
  value <= 10 ? rules.ordinal(value, gender) : rules.cardinal(value);

export const englishRoman: RomanRules = {
  nouns:
    "chapter|part|act|scene|volume|book|section|article|title|war|phase|type|class|appendix|level|stage|grade|group|division|super Bowl|figure|table|amendment|canto|psalm|mark",
  number: (value, rules) => rules.cardinal(value),
  kings:
    "Henry Louis George Edward William Charles James Richard John Paul Peter Francis Philip Frederick Alexander Nicholas Leopold Pius Benedict Leo Gregory Innocent Clement Urban Boniface Julius Ferdinand Napoleon Ivan Rudolf Maximilian Ptolemy Ramesses Ramses Darius Xerxes Otto Robert David Malcolm Albert Christian Gustav Haakon Harald Olav Wilhelm Ludwig Umberto Emmanuel Alfonso Mehmed Selim Murad Hussein Abdullah Rama Constantine Sixtus Celestine Adrian Martin Eugene",
  queens: "Elizabeth Catherine Mary Anne Margaret Isabella Beatrix Christina Victoria Cleopatra",
  ruler: (value, gender, rules) => `the ${rules.ordinal(value, gender)}`,
};

export const spanishRoman: RomanRules = {
  nouns: "capítulo|tomo|acto|parte|volumen|libro|título|artículo|anexo|fase|tipo|clase|grupo|sección|tabla|figura",
  number: (value, rules) => rules.cardinal(value),
  kings:
    "Luis Enrique Carlos Felipe Alfonso Fernando Juan Pablo Pío Benedicto Francisco León Gregorio Inocencio Clemente Urbano Julio Jaime Pedro Napoleón Eduardo Jorge Guillermo Ricardo Alejandro Nicolás Federico Sancho Ramiro Amadeo Leopoldo Sixto Adriano Martín Ramsés Darío Iván",
  queens: "Isabel Catalina María Cristina Margarita Juana Beatriz Ana",
  ruler: ordinalToTen,
  forms: [
    [/(?<=[Ss]iglos? )([XVI]+)(?!\p{L})/gu, (value, _, rules) => ordinalToTen(value, "m", rules)],
    [
      /(?<!\p{L})([XVI]+) (Guerra|República|Edición|Jornada|Feria|Copa|Asamblea|Conferencia|Semana)(?!\p{L})/gu,
      (value, noun, rules) => `${rules.ordinal(value, "f")} ${noun}`,
    ],
    [
      /(?<!\p{L})([XVI]+) (Congreso|Aniversario|Encuentro|Festival|Concurso|Plan|Reich|Foro|Premio|Torneo|Concilio)(?!\p{L})/gu,
      (value, noun, rules) => `${rules.ordinal(value, "m").replace(/(?<=prim|terc)ero$/u, "er")} ${noun}`,
    ],
  ],
};

export const frenchRoman: RomanRules = {
  nouns: "chapitre|tome|acte|partie|volume|livre|titre|article|annexe|phase|type|classe|groupe|section|scène|figure",
  number: (value, rules) => rules.cardinal(value),
  kings:
    "Louis Henri Charles François Philippe Napoléon Jean Paul Pie Benoît Léon Grégoire Innocent Clément Urbain Jules Guillaume Georges Édouard Richard Frédéric Alexandre Nicolas Léopold Albert Ramsès Pierre Ivan Sixte Adrien Martin Robert",
  queens: "Élisabeth Elisabeth Catherine Marie Marguerite Isabelle Christine",
  ruler: (value, gender, rules) => (value === 1 ? rules.ordinal(1, gender) : rules.cardinal(value)),
  forms: [
    [/(?<!\p{L})([XVI]+)er(?!\p{L})/gu, (value, _, rules) => rules.ordinal(value, "m")],
    [/(?<!\p{L})([XVI]+)(?:re|ère)(?!\p{L})/gu, (value, _, rules) => rules.ordinal(value, "f")],
    [/(?<!\p{L})([XVI]+)(?:e|ème|ᵉ)(?!\p{L})/gu, (value, _, rules) => rules.ordinal(value, "m")],
  ],
};

export const germanRoman: RomanRules = {
  nouns: "kapitel|band|akt|teil|artikel|anhang|phase|typ|klasse|stufe|abschnitt|weltkrieg|gruppe|tabelle|szene",
  number: (value, rules) => rules.cardinal(value),
  kings:
    "Ludwig Heinrich Friedrich Wilhelm Karl Otto Franz Joseph Leopold Rudolf Maximilian Georg Johannes Paul Pius Benedikt Leo Gregor Innozenz Klemens Urban Julius Philipp Peter Alexander Nikolaus Napoleon Richard Eduard Ramses Ferdinand August Konrad Charles Christian Gustav Albert Iwan",
  queens: "Elisabeth Elizabeth Katharina Maria Margarethe Beatrix Christina Isabella",
  ruler: (value, gender, rules) => `${gender === "f" ? "die" : "der"} ${capital(rules.ordinal(value, gender))}`,
  forms: [
    // With its point it is an ordinal, which the rules for "im 2. Stock" know how to bend.
    [/(?<!\p{L})(?<!\p{Lu}\p{Ll}+ )([XVI]+)\. (?=\p{Lu})/gu, (value) => `${value}. `],
    // The point of "Ludwig XIV." goes, unless it also ends the sentence.
    [/(?<=\p{Lu}\p{Ll}+ )([XVI]+)\.(?=\s+\p{Ll}|,)/gu, (value) => toRoman(value)],
  ],
};

export const italianRoman: RomanRules = {
  nouns: "tipo|gruppo|tabella|figura|livello|allegato",
  ordinalNouns: {
    m: "secolo|capitolo|atto|libro|titolo|tomo|volume|canto|articolo",
    f: "parte|scena|classe|fase|sezione|guerra mondiale",
  },
  number: (value, rules) => rules.cardinal(value),
  kings:
    "Luigi Enrico Carlo Filippo Francesco Giovanni Paolo Pio Benedetto Leone Gregorio Innocenzo Clemente Urbano Giulio Federico Emanuele Umberto Guglielmo Giorgio Edoardo Riccardo Napoleone Alessandro Nicola Pietro Ferdinando Ramses Sisto Adriano Martino Ottone Bonifacio Amedeo",
  queens: "Elisabetta Caterina Maria Cristina Margherita Isabella",
  ruler: (value, gender, rules) => rules.ordinal(value, gender),
  forms: [
    [
      /(?<!\p{L})([XVI]+) (secolo|anniversario|congresso)(?!\p{L})/gu,
      (value, noun, rules) => `${rules.ordinal(value, "m")} ${noun}`,
    ],
    [
      /(?<!\p{L})([XVI]+) (guerra|edizione|legislatura)(?!\p{L})/giu,
      (value, noun, rules) => `${rules.ordinal(value, "f")} ${noun}`,
    ],
  ],
};

export const portugueseRoman: RomanRules = {
  nouns: "tipo|grupo|tabela|figura|nível|anexo",
  number: (value, rules) => rules.cardinal(value),
  kings:
    "Luís Henrique Carlos Filipe Afonso Fernando João Paulo Pio Bento Francisco Leão Gregório Inocêncio Clemente Urbano Júlio Pedro Napoleão Eduardo Jorge Guilherme Ricardo Alexandre Nicolau Frederico Sancho Manuel Dinis Duarte José Miguel Sebastião Leopoldo Ramsés",
  queens: "Maria Isabel Elizabeth Catarina Cristina Margarida Ana",
  ruler: ordinalToTen,
  forms: [
    [
      /(?<=(?:[Ss]éculos?|[Cc]apítulo|[Tt]omo|[Aa]to|[Ll]ivro|[Vv]olume|[Tt]ítulo|[Aa]rtigo) )([XVI]+)(?!\p{L})/gu,
      (value, _, rules) => ordinalToTen(value, "m", rules),
    ],
    [
      /(?<=(?:[Pp]arte|[Cc]ena|[Ff]ase|[Cc]lasse) )([XVI]+)(?!\p{L})/gu,
      (value, _, rules) => ordinalToTen(value, "f", rules),
    ],
    [
      /(?<!\p{L})([XVI]+) (Guerra|República|Edição|Conferência|Copa)(?!\p{L})/gu,
      (value, noun, rules) => `${rules.ordinal(value, "f")} ${noun}`,
    ],
    [
      /(?<!\p{L})([XVI]+) (Congresso|Encontro|Festival|Concílio|Plano)(?!\p{L})/gu,
      (value, noun, rules) => `${rules.ordinal(value, "m")} ${noun}`,
    ],
  ],
};

export const dutchRoman: RomanRules = {
  nouns: "hoofdstuk|deel|akte|wereldoorlog|artikel|bijlage|fase|type|klasse|boek|band|tabel|figuur|groep|scène",
  number: (value, rules) => rules.cardinal(value),
  kings:
    "Lodewijk Willem Hendrik Karel Filips Frederik Frans Johannes Paulus Pius Benedictus Leo Gregorius Innocentius Clemens Urbanus Julius George Eduard Richard Napoleon Alexander Nicolaas Peter Leopold Albert Otto Ramses Christiaan Gustaaf Ferdinand Maximiliaan Jacobus",
  queens: "Elizabeth Catharina Maria Margaretha Beatrix Christina Isabella",
  ruler: (value, gender, rules) => `de ${rules.ordinal(value, gender)}`,
};

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function toRoman(value: number): string {
  const tens = "X".repeat(Math.floor(value / 10));
  return tens + ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][value % 10];
}
