import { kindOf, useWeights } from "../../src/extraction/fields/pick.ts";
import { chooseAll, fitAll, fitField, groupBy } from "./fitting/fit-weights.ts";
import { foldOf, folds, foldsOf } from "./fitting/folds.ts";
import { prior } from "./fitting/prior.ts";
import { type Choice, choicesOf } from "./fitting/samples.ts";
import { option, readKnownDocuments } from "./known-documents.ts";

/**
 * Takes each reason out of the table in turn, fits the others again without each layout family, and says in how many families more
 * values are right with it than without it, and in how many fewer. Reasons that help no more families than they hurt stay out while
 * the rest is tried, since of two that say the same neither is missed alone.
 * Run: npm run bench -- extraction/ablate --unseen FOLDER [--cache FOLDER]
 */
const pull = Number(option("pull") ?? 2);
const known = await readKnownDocuments();

useWeights(fitAll(known.flatMap(choicesOf), [], pull));
const choices = known.flatMap(choicesOf);
foldsOf(known.map(({ family }) => family));

/** Of one field: its choices, the weights of each fold, and which choices are right with them. */
interface Fitted {
  readonly own: readonly Choice[];
  readonly weights: readonly Map<string, number>[];
  readonly right: readonly boolean[];
}

/** Their worth shows in the confidence or on pages without any known word, which the families here do not have. */
const kept = new Set(["ambiguous", "failed", "checked", "taken", "proven", "proven_alone", "lone_code", "embedded"]);
const fewestFamilies = 3;

const fields = new Map<string, Fitted>();
for (const [field, own] of groupBy(choices, (choice) => choice.field)) {
  if (own.length < 8) continue;
  const first = Array.from({ length: folds }, (_, fold) => fitField(others(own, fold), startOf(field), pull));
  fields.set(field, refit(field, { own, weights: first, right: [] }, new Set()));
}
const right = (): number => [...fields.values()].flatMap((fitted) => fitted.right).filter(Boolean).length;
console.log(
  `With all reasons ${right()} of ${[...fields.values()].flatMap((fitted) => fitted.right).length} choices are right.`,
);

function startOf(field: string): ReadonlyMap<string, number> {
  return prior.get(field) ?? prior.get(kindOf(field))!;
}

function others(own: readonly Choice[], fold: number): Choice[] {
  return own.filter(({ family }) => foldOf(family) !== fold);
}

function refit(field: string, { own, weights }: Fitted, reasons: ReadonlySet<string>): Fitted {
  const without = weights.map((from, fold) => fitField(others(own, fold), startOf(field), pull, { reasons, from }));
  const isRight = own.map((choice) => {
    const chosen = chooseAll([choice], new Map([[field, without[foldOf(choice.family)]!]]))[0];
    return choice.isAbsent ? chosen === undefined : chosen?.isRight === true;
  });
  return { own, weights: without, right: isRight };
}

const reasons = new Map<string, Set<string>>();
for (const [field, { own }] of fields)
  for (const { candidates } of own)
    for (const candidate of candidates)
      for (const reason of Object.keys(candidate.reasons))
        reasons.set(reason, (reasons.get(reason) ?? new Set()).add(field));

const out = new Set<string>();
console.log("\n| reason | helps families | hurts families | values gained | |\n|---|---|---|---|---|");
// Those of few fields first: what many fields share is the more general.
for (const [reason, own] of [...reasons].sort(([, one], [, other]) => one.size - other.size)) {
  const byFamily = new Map<string, number>();
  const without = new Map(
    [...own].map((field) => [field, refit(field, fields.get(field)!, new Set([...out, reason]))]),
  );
  for (const [field, { own: list, right: isRight }] of without)
    for (const [index, { family }] of list.entries())
      byFamily.set(
        family,
        (byFamily.get(family) ?? 0) + Number(fields.get(field)!.right[index]) - Number(isRight[index]),
      );
  const changes = [...byFamily.values()];
  const helps = changes.filter((change) => change > 0).length;
  const hurts = changes.filter((change) => change < 0).length;
  const gained = changes.reduce((sum, change) => sum + change, 0);
  const goes = !kept.has(reason) && helps < fewestFamilies && helps <= hurts && gained <= 0;
  if (goes) {
    out.add(reason);
    for (const [field, fitted] of without) fields.set(field, fitted);
  }
  console.log(`| ${reason} | ${helps} | ${hurts} | ${gained} | ${goes ? "goes" : ""} |`);
}
console.log(`\nWithout ${[...out].join(", ")}: ${right()} right.`);
