import { expect, it } from "vitest";
import { readMigrations } from "../../src/adapters/database/migrate.ts";

/** The first that servers of the version before may meet while they run: from here on several serve one database. */
const sinceClusters = 1400;

it("migrations only add, so that a server of the version before goes on working beside a new one", () => {
  const takesAway = /\b(drop|rename|truncate)\b|\balter column \w+ (type|set not null|set data)\b/i;
  const demands = /\badd column\b(?!.*\bdefault\b).*\bnot null\b/i;
  const wrong = readMigrations()
    .filter(({ version }) => version >= sinceClusters)
    .filter(({ sql }) => takesAway.test(withoutComments(sql)) || demands.test(withoutComments(sql)))
    .map(({ name }) => name);
  expect(wrong).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/--.*$/gm, "");
}
