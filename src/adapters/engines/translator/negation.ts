/** Words that deny, by language: those that certainly do, and all that may stand for one in another language ("without", "unhappy").
 *  Only languages in which the words could be listed with certainty. */
const WORDS: Readonly<Record<string, { readonly sure: RegExp; readonly any: RegExp }>> = {
  en: words(
    "not|never|nobody|nothing|none|nowhere|neither|cannot|no one|no longer|(?:can|don|won|isn|aren|wasn|weren|hasn|haven|hadn|doesn|didn|couldn|wouldn|shouldn|mustn|needn)['’]?t",
    "no|nor|without|unless|hardly|rarely|seldom|few|little|only|but|lacks?|lacking|fail\\p{L}*|refus\\p{L}*|den(?:y|ies|ied)|(?:un|in|im|ir|dis|non)\\p{L}{3,}|\\p{L}+less|ain['’]t|else|too|until|avoid\\p{L}*|prevent\\p{L}*|stop\\p{L}*",
  ),
  es: words(
    "no|nunca|jamás|nadie|nada|ningun[oa]s?|ningún|tampoco",
    "ni|sin|apenas|sino|menos|(?:in|im|des|ir)\\p{L}{3,}|falt\\p{L}*|neg\\p{L}*|evit\\p{L}*|imped\\p{L}*|hasta|demasiado|dej\\p{L}*|igual",
  ),
  fr: words(
    "(?:ne |n['’])\\p{L}+(?: \\p{L}+){0,3} (?:pas|jamais|rien|personne|plus|aucune?|guère|ni)|personne ne|rien ne|aucune? \\p{L}+ ne|jamais \\p{L}+ ne",
    "ne|n['’]\\p{L}+|pas|jamais|rien|personne|aucune?|non|sans|ni|sauf|(?:in|im|ir|mal|dé)\\p{L}{3,}|manqu\\p{L}*|refus\\p{L}*|évit\\p{L}*|empêch\\p{L}*|trop|cess\\p{L}*|peu|égal",
  ),
  de: words(
    "nicht|nie|niemals|niemand(?:en|em)?|nichts|kein\\p{L}*|nirgend\\p{L}*|weder",
    "nein|ohne|kaum|selten|un\\p{L}{3,}|\\p{L}+los\\p{L}*|fehl\\p{L}*|verweiger\\p{L}*|weiger\\p{L}*|sondern|noch|zu|außer|vermeid\\p{L}*|verhinder\\p{L}*|aufhör\\p{L}*|nur|wenig\\p{L}*|egal|gleichgültig",
  ),
  it: words(
    "non|nessun[oa]?|niente|nulla|neanche|nemmeno|neppure",
    "no|mai|né|senza|(?:in|im|ir|dis|s)\\p{L}{3,}|manc\\p{L}*|rifiut\\p{L}*|evit\\p{L}*|imped\\p{L}*|troppo|solo|poc\\p{L}*|smett\\p{L}*",
  ),
  pt: words(
    "não|nunca|jamais|ninguém|nada|nenhum[as]?|tampouco",
    "nem|sem|(?:in|im|des|ir)\\p{L}{3,}|falt\\p{L}*|recus\\p{L}*|neg\\p{L}*|evit\\p{L}*|imped\\p{L}*|demais|só|apenas|pouc\\p{L}*|par\\p{L}*|deix\\p{L}*",
  ),
  nl: words(
    "niet|nooit|niemand|niets|geen|nergens|noch",
    "nee|zonder|nauwelijks|zelden|on\\p{L}{3,}|\\p{L}+loos|\\p{L}+loze|weiger\\p{L}*|ontbre\\p{L}*|maar|te|vermijd\\p{L}*|voorkom\\p{L}*|stop\\p{L}*|weinig|alleen",
  ),
};

function words(sure: string, also: string): { sure: RegExp; any: RegExp } {
  const whole = (alternatives: string) =>
    new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${alternatives})(?![\p{L}\p{M}])`, "iu");
  return { sure: whole(sure), any: whole(`${sure}|${also}`) };
}

/** Whether one of the two certainly denies something and the other has nothing that could stand for it. */
export function losesNegation(source: string, from: string, translated: string, into: string): boolean {
  const [theirs, ours] = [WORDS[from], WORDS[into]];
  if (!theirs || !ours) return false;
  const [said, written] = [withoutTag(source), withoutTag(translated)];
  const isLost = theirs.sure.test(said) && !ours.any.test(written);
  const isMadeUp = ours.sure.test(written) && !theirs.any.test(said);
  return isLost || isMadeUp;
}

/** "You know it, don't you?" denies nothing. */
function withoutTag(text: string): string {
  return text.replace(
    /, ?\p{L}+(?:n['’]t)? \p{L}+\?$|, ?(?:n['’]est-ce pas|nicht wahr|¿no|niet(?: waar)?|não é|non è vero)\s?\?$/iu,
    "?",
  );
}
