import pg from "pg";

/** Connections to whichever of an address's servers takes writes: postgres://user:password@a:5432,b:5432/name. A server that
 *  cannot be reached, or is a standby, makes the next connection go to the next one. */
export function primaryClient(url: string): typeof pg.Client {
  const addresses = splitHosts(url);
  let current = 0;

  return class PrimaryClient extends pg.Client {
    readonly #place = current;
    readonly address = addresses[current]!;

    constructor(options: pg.ClientConfig) {
      super({ ...options, connectionString: addresses[current]! });
    }

    override connect(): Promise<this>;
    override connect(tell: (error: Error) => void): void;
    override connect(tell?: (error: Error) => void): Promise<this> | undefined {
      const connecting = this.#connectToPrimary();
      if (!tell) return connecting;
      connecting.then(() => tell(undefined as never), tell);
      return undefined;
    }

    async #connectToPrimary(): Promise<this> {
      try {
        await super.connect();
        await this.#refuseStandby();
        return this;
      } catch (error) {
        // Others may have found the next one already.
        if (current === this.#place) current = (current + 1) % addresses.length;
        // As the server marks its own, so that a refused connection is known to be the database's.
        throw Object.assign(error as Error, { severity: "FATAL" });
      }
    }

    async #refuseStandby(): Promise<void> {
      const { rows } = await this.query<{ is_standby: boolean }>("SELECT pg_is_in_recovery() AS is_standby");
      if (!rows[0]?.is_standby) return;
      await this.end();
      // What PostgreSQL itself says while it cannot be used yet.
      throw Object.assign(new Error("the PostgreSQL server is a standby, which takes no writes"), { code: "57P03" });
    }
  };
}

/** One address for each of the servers. */
export function splitHosts(url: string): string[] {
  const [, before, hosts, after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url)!;
  return hosts!.split(",").map((host) => `${before}${host}${after}`);
}
