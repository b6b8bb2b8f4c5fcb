import { Problem } from "../../platform/errors.ts";
import { hashPassword } from "./hash-password.ts";

/** What people choose most, of ten characters and more and as the stem of longer ones (the heads of published lists of leaked
 *  passwords; letters only, because digits and marks around them are dropped before the comparison). */
const common = new Set(
  (
    "password passwort passw0rd qwerty qwertyuiop qwertzuiop asdfghjkl zxcvbnm letmein welcome iloveyou sunshine princess football " +
    "baseball basketball superman batman dragon monkey shadow master michael jennifer trustno administrator admin changeme secret " +
    "default parlance abc abcd abcde abcdef abcdefg abcdefgh abcdefghij qazwsx qazwsxedc qweasd qweasdzxc computer internet starwars " +
    "pokemon whatever freedom hello helloworld test testing guest login access killer jordan hunter thomas charlie motdepasse azerty " +
    "azertyuiop contrasena contraseña senha geheim hallo schatz"
  ).split(" "),
);

/** The hash of a password that somebody has chosen. Throws when it is one that others would try first. */
export async function choosePassword(
  password: string,
  about: { email: string; name: string },
  field: string,
): Promise<string> {
  const reason = weakness(password, about);
  if (reason) throw new Problem("invalid_request", reason, { field });
  return hashPassword(password);
}

/** Why a password will not do; undefined when it will. Its length was checked by the schema. */
export function weakness(password: string, { email, name }: { email: string; name: string }): string | undefined {
  const plain = password.normalize("NFKC").toLowerCase();
  if (new Set(plain).size < 4) return "This password repeats the same few characters. Choose another.";
  const stem = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  if (stem === "" && isRun(plain)) return "This password is a simple row of digits. Choose another.";
  if (common.has(stem) || isRepeated(plain))
    return "This password is one of the first that others would try. Choose another.";
  const parts = [email, email.split("@")[0]!, ...name.split(/\s+/)].map((part) => part.toLowerCase());
  const holds = parts.find((part) => part.length >= 4 && plain.includes(part) && plain.length - part.length < 6);
  return holds ? "This password is little more than your name or e-mail address. Choose another." : undefined;
}

/** 1234567890, 9876543210 and what starts over: each digit is one more or one less than the last. */
function isRun(text: string): boolean {
  const digits = [...text.replace(/\D/g, "")].map(Number);
  const steps = digits.slice(1).map((digit, index) => (digit - digits[index]! + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}

/** passwordpassword, 123123123123. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size++) {
    if (text.length % size === 0 && text === text.slice(0, size).repeat(text.length / size)) {
      return size < 5 || common.has(text.slice(0, size).replace(/[^\p{L}]/gu, ""));
    }
  }
  return false;
}
