import { table } from "../../platform/table.ts";

/** A short greeting in each language of the catalog, for the play button. */
const texts: Readonly<Record<string, string>> = table({
  en: "Hello, this is how I sound. How can I help you today?",
  es: "Hola, así suena mi voz. ¿En qué puedo ayudarte hoy?",
  fr: "Bonjour, voici ma voix. Comment puis-je vous aider ?",
  it: "Ciao, questa è la mia voce. Come posso aiutarti oggi?",
  pt: "Olá, esta é a minha voz. Como posso ajudar hoje?",
  de: "Hallo, so klingt meine Stimme. Wie kann ich helfen?",
  nl: "Hallo, zo klinkt mijn stem. Hoe kan ik je helpen?",
  sv: "Hej, så här låter min röst. Hur kan jag hjälpa dig?",
  nb: "Hei, slik høres stemmen min ut. Hvordan kan jeg hjelpe deg?",
  da: "Hej, sådan lyder min stemme. Hvordan kan jeg hjælpe dig?",
  fi: "Hei, tältä minun ääneni kuulostaa. Miten voin auttaa?",
  is: "Halló, svona hljómar röddin mín. Hvernig get ég hjálpað?",
  pl: "Cześć, tak brzmi mój głos. W czym mogę pomóc?",
  cs: "Ahoj, takhle zní můj hlas. Jak mohu pomoci?",
  sk: "Ahoj, takto znie môj hlas. Ako môžem pomôcť?",
  sl: "Živjo, takole zveni moj glas. Kako lahko pomagam?",
  hr: "Bok, ovako zvuči moj glas. Kako mogu pomoći?",
  sr: "Здраво, овако звучи мој глас. Како могу да помогнем?",
  mk: "Здраво, вака звучи мојот глас. Како можам да помогнам?",
  bg: "Здравейте, така звучи моят глас. С какво мога да помогна?",
  ru: "Привет, так звучит мой голос. Чем я могу помочь?",
  uk: "Привіт, так звучить мій голос. Чим я можу допомогти?",
  ro: "Bună, așa sună vocea mea. Cu ce te pot ajuta?",
  hu: "Helló, így szól a hangom. Miben segíthetek?",
  tr: "Merhaba, sesim böyle. Size nasıl yardımcı olabilirim?",
  el: "Γεια σας, έτσι ακούγεται η φωνή μου. Πώς μπορώ να βοηθήσω;",
  ca: "Hola, així sona la meva veu. Com et puc ajudar?",
  hi: "नमस्ते, मेरी आवाज़ ऐसी है। मैं आपकी क्या मदद कर सकता हूँ?",
  bn: "নমস্কার, আমার কণ্ঠ এমন শোনায়। আমি কীভাবে সাহায্য করতে পারি?",
  ta: "வணக்கம், என் குரல் இப்படி இருக்கும். நான் எப்படி உதவலாம்?",
  te: "నమస్కారం, నా గొంతు ఇలా ఉంటుంది. నేను ఎలా సహాయం చేయగలను?",
  mr: "नमस्कार, माझा आवाज असा आहे. मी कशी मदत करू शकतो?",
  gu: "નમસ્તે, મારો અવાજ આવો છે. હું કેવી રીતે મદદ કરી શકું?",
  kn: "ನಮಸ್ಕಾರ, ನನ್ನ ಧ್ವನಿ ಹೀಗಿದೆ. ನಾನು ಹೇಗೆ ಸಹಾಯ ಮಾಡಲಿ?",
  ml: "നമസ്കാരം, എന്റെ ശബ്ദം ഇങ്ങനെയാണ്. ഞാൻ എങ്ങനെ സഹായിക്കണം?",
  pa: "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਮੇਰੀ ਆਵਾਜ਼ ਇਹੋ ਜਿਹੀ ਹੈ। ਮੈਂ ਕਿਵੇਂ ਮਦਦ ਕਰਾਂ?",
  ur: "السلام علیکم، میری آواز ایسی ہے۔ میں کیا مدد کر سکتا ہوں؟",
  ar: "مرحبا، هكذا يبدو صوتي. كيف يمكنني مساعدتك؟",
});

/** Digits are read in every language. */
export function sampleText(language: string): string {
  return texts[language.split("-")[0]!] ?? "1 2 3 4 5";
}
