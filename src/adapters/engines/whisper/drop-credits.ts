const subtitles =
  "untertitel\\p{L}*|sous-titr\\p{L}*|sottotitoli|subtítulos|legendas?|ondertitel\\p{L}*|undertext\\p{L}*|napisy|altyazı|субтитры|субтитрувальниця|subtitles";
const makers =
  "amara|zdf|wdr|ndr|swr|srf|funk|radio-canada|st['’ ]*501|qtss|dimatorzok|réalisé|revisione|realizados|tvn|community|comunidad\\p{L}*";
const farewells = [
  "thanks for watching",
  "thank you for watching",
  "vielen dank fürs zuschauen",
  "merci d['’]avoir regardé(?: cette vidéo)?",
  "gracias por ver(?: el v[ií]deo)?",
  "obrigad[oa] por assistir",
  "grazie per (?:la visione|aver guardato)",
  "bedankt voor het kijken",
  "tack för att ni tittade",
  "izlediğiniz için teşekkür(?:ler| ederim)",
  "продолжение следует",
  "спасибо за просмотр",
  "ترجمة نانسي قنقر",
  "اشتركوا في القناة",
];
const thanks =
  "thank you|thanks|you|bye|bye bye|vielen dank|danke|merci|gracias|grazie|obrigad[oa]|bedankt|tack|teşekkürler|teşekkür ederim|спасибо|شكرا";

/** Lines that films end with. Whisper learned them from subtitles and writes them where nobody speaks any more; people do not say them
 *  into a microphone. */
const credits = [
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${subtitles})\\s[^.!?]*(?:${makers}).*$`, "iu"),
  /(?<![\p{L}\p{N}])copyright (?:wdr|zdf|ndr|swr)(?: \d{4})?[.!?]*$/iu,
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${farewells.join("|")})[.!?…\\s]*$`, "iu"),
];
/** What Whisper says to silence, and people say, too: dropped only where hardly anybody spoke. */
const lonelyThanks = new RegExp(`^(?:${thanks})[.!?…\\s]*$`, "iu");
const HARDLY_SPOKEN_SECONDS = 0.35;

/** The text without lines that were learned from the ends of films. */
export function dropCredits(text: string, speechSeconds: number): string {
  const kept = credits.reduce((left, pattern) => left.replace(pattern, ""), text).trim();
  return speechSeconds < HARDLY_SPOKEN_SECONDS && lonelyThanks.test(kept) ? "" : kept;
}
