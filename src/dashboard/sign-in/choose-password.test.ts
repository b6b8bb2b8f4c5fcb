import { describe, expect, it } from "vitest";
import { weakness } from "./choose-password.ts";

const ada = { email: "ada.lovelace@example.org", name: "Ada Lovelace" };

describe("a chosen password", () => {
  it.each([
    "password123",
    "Password!!2024",
    "1234567890",
    "9876543210",
    "aaaaaaaaaaaa",
    "passwordpassword",
    "123123123123",
    "qwertyuiop",
    "ada.lovelace@example.org",
    "lovelace1815",
  ])("%s is refused", (password) => {
    expect(weakness(password, ada)).toMatch(/Choose another/);
  });

  it.each(["correct horse battery", "x7#kPq2!vLm9", "ein schöner Tag im März", "lovelace wrote the first program"])(
    "%s is taken",
    (password) => {
      expect(weakness(password, ada)).toBeUndefined();
    },
  );
});
