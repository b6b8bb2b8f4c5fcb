import { formatDollars, type Pico } from "../../credits/money.ts";
import type { Grouping, SpendRow } from "./summarize.ts";
import { writeCsv } from "./write-csv.ts";

/** Written by hand: a JSON number may have all the digits it needs, a JavaScript number may not. */
export function writeReport(groupBy: Grouping, rows: readonly SpendRow[]): string {
  const data = rows.map((row) => {
    const names = [row.period, row.model, row.provider].map((name) => JSON.stringify(name));
    return `{"period":${names[0]},"model":${names[1]},"provider":${names[2]},${sumsOf(row)}}`;
  });
  const totals = rows.reduce(add, { inputTokens: 0n, outputTokens: 0n, cost: 0n, charge: 0n, requests: 0n });
  return `{"object":"report","group_by":"${groupBy}","data":[${data.join(",")}],"totals":{${sumsOf(totals)}}}`;
}

/** The same rows as a table, without the totals. */
export function writeReportCsv(rows: readonly SpendRow[]): string {
  const names = [
    "period",
    "model",
    "provider",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "svc_cost_usd",
    "requests",
  ];
  return writeCsv(
    names,
    rows.map(({ period, model, provider, inputTokens, outputTokens, cost, charge, requests }) => [
      period,
      model,
      provider,
      inputTokens,
      outputTokens,
      decimal(cost),
      decimal(charge),
      requests,
    ]),
  );
}

type Sums = Pick<SpendRow, "inputTokens" | "outputTokens" | "cost" | "charge" | "requests">;

function sumsOf({ inputTokens, outputTokens, cost, charge, requests }: Sums): string {
  return `"input_tokens":${inputTokens},"output_tokens":${outputTokens},"cost_usd":${decimal(cost)},"svc_cost_usd":${decimal(charge)},"requests":${requests}`;
}

function add(sums: Sums, row: Sums): Sums {
  return {
    inputTokens: sums.inputTokens + row.inputTokens,
    outputTokens: sums.outputTokens + row.outputTokens,
    cost: sums.cost + row.cost,
    charge: sums.charge + row.charge,
    requests: sums.requests + row.requests,
  };
}

function decimal(amount: Pico): string {
  return formatDollars(amount).replace(/\.?0+$/, "");
}
