import { describe, expect, it } from "vitest";
import { readPrices } from "../charging/prices.ts";
import { Measures } from "../measures/measures.ts";
import type { Route } from "./catalog.ts";
import { type Ordering, orderRoutes, type Strategy } from "./order-routes.ts";

const route = (
  name: string,
  { price, weight = 1, credential = "" }: { price?: string; weight?: number; credential?: string } = {},
) =>
  ({
    upstream: { name, weight, credential },
    model: "a/b",
    listed: price && { prices: readPrices({ input: price, output: price }) },
  }) as unknown as Route;

function order(
  strategy: Strategy,
  routes: Route[],
  { random = 0, asker = "u", measures = new Measures() } = {},
): string {
  let turn = 0;
  const by: Ordering = { measures, asker, random: () => random, nextTurn: () => turn++ };
  return orderRoutes([{ weight: 1, routes }], strategy, by)
    .map(({ upstream }) => upstream.name + upstream.credential)
    .join(" ");
}

describe("those who serve a model", () => {
  it("are asked by price, those without one last", () => {
    expect(order("cheapest", [route("x"), route("y", { price: "0.2" }), route("z", { price: "0.1" })])).toBe("z y x");
  });

  it("are asked by the median time to their first token, one slow answer aside", () => {
    const measures = new Measures();
    for (const ms of [100, 100, 9_000]) measures.of("y", "a/b").firstToken.note(ms);
    for (const ms of [200, 200, 200]) measures.of("x", "a/b").firstToken.note(ms);
    expect(order("fastest", [route("x"), route("y"), route("z")], { measures })).toBe("y x z");
  });

  it("are asked by weight, and the others in order", () => {
    const all = [route("x", { weight: 3 }), route("y"), route("z", { weight: 0 })];
    expect(order("weighted", all, { random: 0.7 })).toBe("x y z");
    expect(order("weighted", all, { random: 0.8 })).toBe("y x z");
  });

  it("are the same for one asker when another of them leaves", () => {
    const all = ["v", "w", "x", "y", "z"].map((name) => route(name));
    for (let asker = 0; asker < 50; asker++) {
      const [first, ...others] = order("sticky", all, { asker: `u${asker}` }).split(" ");
      const left = all.filter(({ upstream }) => upstream.name !== others.at(-1));
      expect(order("sticky", left, { asker: `u${asker}` }).split(" ")[0]).toBe(first);
    }
  });

  it("take turns with the keys of one upstream, which stay together", () => {
    const all = [route("x", { credential: "1" }), route("x", { credential: "2" }), route("y")];
    let turn = 0;
    const by: Ordering = { measures: new Measures(), asker: "", random: () => 0, nextTurn: () => turn++ };
    const firsts = [0, 1, 2, 3].map(
      () => orderRoutes([{ weight: 1, routes: all }], "order", by)[0]!.upstream.credential,
    );
    expect(firsts).toEqual(["1", "2", "1", "2"]);
    expect(order("order", all)).toBe("x1 x2 y");
  });
});
