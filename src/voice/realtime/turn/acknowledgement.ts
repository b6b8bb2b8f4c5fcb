/** True for what listeners say to show that they follow: it asks nobody to stop. Anything else is an interruption. */
export function isAcknowledgement(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
  return words.length > 0 && words.length <= mostWords && words.every((word) => listening.has(word));
}

const mostWords = 4;

/** Single words; a few of them in a row ("yeah okay right") are still only listening. */
const listening = new Set(
  [
    "mm mmm mhm mmhm mm-hmm hm hmm huh uh uhuh ah aha oh ooh yeah yep yup yes okay ok right sure good great nice cool wow",
    "sí si vale claro ajá bueno bien entiendo",
    "ja jaja genau gut klar aha ach mhm okay stimmt",
    "oui ouais d'accord bien ah hum voilà",
    "sì certo bene già ecco capito",
    "sim pois claro certo tá bom",
    "हाँ हां जी अच्छा ठीक है نعم أجل طيب حسنا",
  ].flatMap((words) => words.split(" ")),
);
