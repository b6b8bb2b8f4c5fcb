import { spawnSync } from "node:child_process";

/** Two private networks behind symmetric NATs and a public one between them, as network namespaces of this machine. */
export interface NatNetworks {
  /** How to run a program inside one of them. */
  inside(network: "caller" | "public" | "server"): string[];
  readonly relayAddress: string;
  /** Where the server's HTTP port is reached from outside; its UDP ports are not. */
  readonly serverAddress: string;
  close(): void;
}

export const HTTP_PORT = 8080;

/** Undefined where namespaces are not permitted, with the reason. */
export function createNatNetworks(): NatNetworks | { reason: string } {
  const name = (part: string) => `parl${process.pid}${part}`;
  const names = ["c", "nc", "p", "ns", "s"].map(name);
  const close = () => {
    for (const one of names) spawnSync("ip", ["netns", "del", one]);
  };
  try {
    for (const one of names) {
      run(`ip netns add ${one}`);
      run(`ip -n ${one} link set lo up`);
    }
    run(`ip -n ${name("p")} link add br0 type bridge`);
    run(`ip -n ${name("p")} addr add 203.0.113.1/24 dev br0`);
    run(`ip -n ${name("p")} link set br0 up`);
    addHome(name("c"), name("nc"), name("p"), 2);
    addHome(name("s"), name("ns"), name("p"), 3);
    // Signaling has to reach the server: a forwarded TCP port, as a web server behind NAT would have.
    run(
      `ip netns exec ${name("ns")} iptables -t nat -A PREROUTING -i out -p tcp --dport ${HTTP_PORT} -j DNAT --to 10.3.0.2:${HTTP_PORT}`,
    );
    run(`ip netns exec ${name("ns")} iptables -A FORWARD -i out -p tcp --dport ${HTTP_PORT} -j ACCEPT`);
  } catch (error) {
    close();
    return { reason: String(error) };
  }
  return {
    inside: (network) => ["ip", "netns", "exec", name({ caller: "c", public: "p", server: "s" }[network])],
    relayAddress: "203.0.113.1",
    serverAddress: "203.0.113.3",
    close,
  };
}

/** A host, and a router that gives each of its connections another port and lets in only answers. */
function addHome(host: string, router: string, outside: string, number: number): void {
  run(`ip link add in netns ${router} type veth peer name eth0 netns ${host}`);
  run(`ip link add out netns ${router} type veth peer name home${number} netns ${outside}`);
  run(`ip -n ${outside} link set home${number} master br0 up`);
  run(`ip -n ${router} addr add 10.${number}.0.1/24 dev in`);
  run(`ip -n ${router} addr add 203.0.113.${number}/24 dev out`);
  run(`ip -n ${host} addr add 10.${number}.0.2/24 dev eth0`);
  for (const [space, link] of [
    [router, "in"],
    [router, "out"],
    [host, "eth0"],
  ]) {
    run(`ip -n ${space} link set ${link} up`);
  }
  run(`ip -n ${host} route add default via 10.${number}.0.1`);
  run(`ip netns exec ${router} sysctl -qw net.ipv4.ip_forward=1`);
  run(`ip netns exec ${router} iptables -t nat -A POSTROUTING -o out -j MASQUERADE --random-fully`);
  run(`ip netns exec ${router} iptables -P FORWARD DROP`);
  run(`ip netns exec ${router} iptables -A FORWARD -i in -j ACCEPT`);
  run(`ip netns exec ${router} iptables -A FORWARD -m state --state ESTABLISHED,RELATED -j ACCEPT`);
}

function run(command: string): void {
  const [program, ...given] = command.split(" ");
  const { status, stderr, error } = spawnSync(program!, given, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.trim()}`);
}
