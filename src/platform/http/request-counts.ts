/** The numbers of one route. */
interface RouteCounts {
  readonly method: string;
  readonly route: string;
  readonly statuses: Map<number, number>;
  /** Requests by the first bucket they fit into; the last place is for those that fit into none. */
  readonly fits: number[];
  seconds: number;
}

interface Value {
  labels: Record<string, string | number>;
  value: number;
  metricName?: string;
}

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const requestsName = "parlance_http_requests_total";
const secondsName = "parlance_http_request_seconds";

/** Counts requests in plain numbers and puts them into Prometheus' shape when it asks: the client's own counters look their
 *  labels up anew for every request. */
export class RequestCounts {
  readonly #methods = new Map<string, Map<string, RouteCounts>>();
  #last: RouteCounts | undefined;

  add(method: string, route: string, status: number, seconds: number): void {
    const counts = this.#countsOf(method, route);
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < buckets.length && seconds > buckets[bucket]!) bucket += 1;
    counts.fits[bucket]! += 1;
    counts.seconds += seconds;
  }

  /** As a registry of prom-client takes them. */
  metrics(): { name: string; get(): Promise<unknown>; reset(): void }[] {
    return [
      {
        name: requestsName,
        get: async () => ({
          name: requestsName,
          help: "Requests by route and status.",
          type: "counter",
          aggregator: "sum",
          values: this.#requestValues(),
        }),
        reset: () => this.#reset(),
      },
      {
        name: secondsName,
        get: async () => ({
          name: secondsName,
          help: "Time from the first byte of a request to the last byte of its reply.",
          type: "histogram",
          aggregator: "sum",
          values: this.#secondValues(),
        }),
        reset: () => this.#reset(),
      },
    ];
  }

  #countsOf(method: string, route: string): RouteCounts {
    if (this.#last?.route === route && this.#last.method === method) return this.#last;
    let routes = this.#methods.get(method);
    if (!routes) {
      routes = new Map();
      this.#methods.set(method, routes);
    }
    let counts = routes.get(route);
    if (!counts) {
      counts = { method, route, statuses: new Map(), fits: new Array(buckets.length + 1).fill(0), seconds: 0 };
      routes.set(route, counts);
    }
    this.#last = counts;
    return counts;
  }

  #reset(): void {
    this.#methods.clear();
    this.#last = undefined;
  }

  #all(): RouteCounts[] {
    return [...this.#methods.values()].flatMap((routes) => [...routes.values()]);
  }

  #requestValues(): Value[] {
    return this.#all().flatMap(({ method, route, statuses }) =>
      [...statuses].map(([status, value]) => ({ labels: { method, route, status }, value })),
    );
  }

  #secondValues(): Value[] {
    return this.#all().flatMap(({ method, route, fits, seconds }) => {
      const values: Value[] = [];
      let sum = 0;
      for (const [index, count] of fits.entries()) {
        sum += count;
        const labels = { le: buckets[index] ?? "+Inf", method, route };
        values.push({ labels, value: sum, metricName: `${secondsName}_bucket` });
      }
      values.push({ labels: { method, route }, value: seconds, metricName: `${secondsName}_sum` });
      values.push({ labels: { method, route }, value: sum, metricName: `${secondsName}_count` });
      return values;
    });
  }
}
