import { parseDollars } from "../../src/credits/money.ts";
import { call } from "./call.ts";
import type { Cluster, ClusterProcess } from "./cluster.ts";
import { completion, sendJson, startFakeUpstream } from "./fake-upstream.ts";
import { runCli } from "./run-cli.ts";

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.0001 };
const wanted = { model: "acme/chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 50 };
/** What each costs, with the gateway's share, and what the first workspace begins with. */
const price = parseDollars("0.00012");
const granted = parseDollars("10");

export interface Spender {
  /** For the nodes. */
  readonly env: Record<string, string>;
  key: string;
  /** Those that were answered with 200. */
  readonly paid: number;
  /** One request that costs. Returns its status, 0 when the connection broke. */
  spend(node: ClusterProcess): Promise<number>;
  /** On each of these nodes, one after the other, until told to stop. Returns the statuses that each had. */
  spendUntil(nodes: readonly ClusterProcess[], isOver: () => boolean): Promise<Set<number>[]>;
  /** How many more requests were charged than acknowledged, as a node knows it. */
  unacknowledged(node: ClusterProcess): Promise<number>;
  /** What the audit says of the credits of each workspace. */
  audit(cluster: Cluster, node: ClusterProcess): Promise<string[]>;
  close(): Promise<void>;
}

/** An upstream that costs, and somebody who counts what was spent there. */
export async function startSpender(): Promise<Spender> {
  const upstream = await startFakeUpstream();
  upstream.on("/v1/chat/completions", (_request, response) => sendJson(response, completion(usage)));
  let paid = 0;
  const spender: Spender = {
    env: { SVC_GATEWAY_UPSTREAM_URL: upstream.url, SVC_GATEWAY_RATE_PER_MINUTE: "1000000" },
    key: "",
    get paid() {
      return paid;
    },
    async spend({ url }) {
      const asked = call(`${url}/gateway/v1/chat/completions`, { key: spender.key, json: wanted });
      const { status } = await asked.catch(() => ({ status: 0 }));
      if (status === 200) paid += 1;
      return status;
    },
    spendUntil: (nodes, isOver) =>
      Promise.all(
        nodes.map(async (node) => {
          const statuses = new Set<number>();
          while (!isOver()) {
            statuses.add(await spender.spend(node));
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
          return statuses;
        }),
      ),
    async unacknowledged({ url }) {
      const { json } = await call(`${url}/gateway/v1/credits`, { key: spender.key });
      return Number(granted - parseDollars(json.balance)) / Number(price) - paid;
    },
    async audit({ env }, { dataDir }) {
      const { out, err } = await runCli(["credits", "audit", "--json"], { ...env, SVC_DATA_DIR: dataDir });
      if (out === "") return [err];
      return (JSON.parse(out) as { verdict: string }[]).map(({ verdict }) => verdict);
    },
    close: () => upstream.close(),
  };
  return spender;
}
