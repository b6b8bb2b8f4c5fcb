import type { ReadingRules } from "./rules.ts";

const EMAIL = /(?<![\w@])([\w.+-]+)@((?:[\w-]+\.)+[a-z]{2,})(?![\w@])/giu;
const URL_WITH_SCHEME = /(?<![\w@])(?:https?:\/\/|www\.)([^\s<>"')\]]*[^\s<>"')\].,;:!?])/giu;
const BARE_DOMAIN =
  /(?<![\w@./])((?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|dev|app|info|de|fr|es|it|br|in|co\.uk|eu))(\/[^\s<>"')\].,;:!?]*)?(?![\w@-])/giu;

/** E-mail addresses and URLs the way they are dictated: "jane dot doe at example dot com". */
export function readAddresses(text: string, rules: ReadingRules): string {
  return text
    .replace(EMAIL, (_, user: string, host: string) => `${spell(user, rules)} ${rules.signs.at} ${spell(host, rules)}`)
    .replace(URL_WITH_SCHEME, (_, address: string) => spell(address.replace(/^www\./iu, "").replace(/\/$/u, ""), rules))
    .replace(BARE_DOMAIN, (_, host: string, path = "") => spell(host + path.replace(/\/$/u, ""), rules));
}

function spell(address: string, rules: ReadingRules): string {
  const { signs } = rules;
  return (
    address
      .replace(/\./gu, ` ${signs.dot} `)
      .replace(/\//gu, ` ${signs.slash} `)
      .replace(/_/gu, ` ${signs.underscore} `)
      .replace(/-/gu, ` ${signs.dash} `)
      .replace(/&/gu, ` ${signs.ampersand} `)
      .replace(/=/gu, ` ${signs.equals} `)
      .replace(/[#]/gu, ` ${signs.hash} `)
      .replace(/\+/gu, ` ${rules.plus} `)
      .replace(/[?%~:@]/gu, " ")
      // Country codes and the like are spelled.
      .replace(/(?<= )(?:io|uk|us|de|eu|tv)(?= |$)/gu, (code) => [...code.toUpperCase()].join(" "))
      .replace(/\s+/gu, " ")
      .trim()
  );
}
