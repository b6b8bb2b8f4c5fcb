import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { allSettings } from "../../src/platform/settings/settings.ts";
import { freePort, hasNats, startNats } from "../support/nats-server.ts";
import { startCli } from "../support/run-cli.ts";

const deploy = resolve(import.meta.dirname, "../../deploy");
const read = (...path: string[]) => readFileSync(join(deploy, ...path), "utf8");
const known = new Set(allSettings().map(({ env }) => env));

describe("what deploys a cluster", () => {
  it("sets only settings that exist", () => {
    const files = ["cluster.compose.yaml", "parlance-worker.service", "parlance.service", "kubernetes/parlance.yaml"];
    const unknown = files.flatMap((file) =>
      read(file)
        .match(/\bSVC_[A-Z_]+/g)
        ?.filter((name) => !known.has(name)),
    );
    expect(unknown).toEqual([]);
  });

  it("has the compose topology: two nodes, two workers, PostgreSQL, NATS, coturn and a load balancer", () => {
    const { services } = parse(read("cluster.compose.yaml"), { merge: true });
    expect(Object.keys(services).sort()).toEqual(
      ["caddy", "coturn", "nats", "node-1", "node-2", "postgres", "worker-1", "worker-2"].sort(),
    );
    for (const name of ["node-1", "node-2"]) {
      expect(services[name].environment).toMatchObject({ SVC_ENGINES: "none", SVC_RATE_SHARED: "1" });
      expect(services[name].restart).toBe("unless-stopped");
    }
    for (const name of ["worker-1", "worker-2"]) expect(services[name].command[0]).toBe("worker");
    // Every variable has a line in the example.
    const example = read("compose.env.example");
    for (const [, name] of read("cluster.compose.yaml").matchAll(/\$\{(\w+)/g)) expect(example).toContain(`${name}=`);
  });

  it("has Kubernetes manifests whose parts find each other", () => {
    const documents = parseAllDocuments(read("kubernetes", "parlance.yaml"));
    for (const document of documents) expect((document as { errors: unknown[] }).errors).toEqual([]);
    // biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
    const objects = documents.map((document) => (document as { toJS(): any }).toJS());
    for (const { apiVersion, kind, metadata } of objects) {
      expect([apiVersion, kind, metadata.name]).not.toContain(undefined);
      if (kind !== "Namespace") expect(metadata.namespace).toBe("parlance");
    }
    const workloads = objects.filter(({ kind }) => kind === "Deployment" || kind === "StatefulSet");
    for (const { spec } of workloads) expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const labels = workloads.map(({ spec }) => spec.template.metadata.labels.app);
    for (const { spec } of objects.filter(({ kind }) => kind === "Service"))
      expect(labels).toContain(spec.selector.app);
    // Volumes that containers mount exist.
    for (const { spec } of workloads) {
      const volumes = [...(spec.template.spec.volumes ?? []), ...(spec.volumeClaimTemplates ?? [])];
      const names = volumes.map((volume) => volume.name ?? volume.metadata.name);
      for (const { volumeMounts = [] } of spec.template.spec.containers) {
        for (const { name } of volumeMounts) expect(names).toContain(name);
      }
    }
    const scaled = objects.find(({ kind }) => kind === "HorizontalPodAutoscaler");
    expect(workloads.map(({ metadata }) => metadata.name)).toContain(scaled.spec.scaleTargetRef.name);
  });

  it.each(hasNats ? ["parlance-node", "parlance-worker"] : ["parlance-node"])(
    "has pods of %s that become ready for their probes, and tell strangers nothing",
    async (name) => {
      const workload = parseAllDocuments(read("kubernetes", "parlance.yaml"))
        // biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
        .map((document) => (document as { toJS(): any }).toJS())
        .find(({ kind, metadata }) => metadata.name === name && /Deployment|StatefulSet/.test(kind));
      const [container] = workload.spec.template.spec.containers;
      const given = container.env.map((one: { name: string; value?: string }) => [one.name, one.value]);
      const image = /^ENV (.*)$/m
        .exec(read("Dockerfile"))![1]!
        .split(" ")
        .map((one) => one.split("="));
      const env: Record<string, string> = Object.fromEntries([...image, ...given].filter(([, value]) => value));
      // The manifest's ports under other numbers: here they may be taken. Probes name ports, and ports are settings.
      const free = { SVC_PORT: String(await freePort()), SVC_METRICS_PORT: String(await freePort()) };
      const portOf = (named: string) => {
        const { containerPort } = container.ports.find((one: { name: string }) => one.name === named);
        const setting = Object.keys(free).find((one) => env[one] === String(containerPort));
        return free[setting as keyof typeof free];
      };
      const nats = name === "parlance-worker" ? await startNats() : undefined;
      const dataDir = mkdtempSync(join(tmpdir(), "parlance-pod-"));
      const here = {
        SVC_BUS_URL: nats?.url ?? "memory:",
        SVC_DATA_DIR: dataDir,
        SVC_MODELS_DIR: "",
      };
      const pod = startCli(container.args, { ...env, ...here, ...free });
      onTestFinished(async () => {
        pod.process.kill("SIGKILL");
        await pod.finished;
        await nats?.kill();
        rmSync(dataDir, { recursive: true, force: true });
      });
      // A kubelet asks the pod's address and not loopback.
      const address = addressOfThisMachine();
      const statusAt = async (port: string | undefined, path: string) =>
        fetch(`http://${address}:${port}${path}`).then(
          ({ status }) => status,
          () => 0,
        );
      const { readinessProbe, livenessProbe } = container;
      const ready = () => statusAt(portOf(readinessProbe.httpGet.port), readinessProbe.httpGet.path);
      await expect.poll(ready, { timeout: 120_000, interval: 200 }).toBeOneOf([200, 503]);
      // A worker without models on this machine is alive, and not ready.
      if (name === "parlance-node") expect(await ready()).toBe(200);
      expect(await statusAt(portOf(livenessProbe.httpGet.port), livenessProbe.httpGet.path)).toBe(200);
      expect(await statusAt(portOf("metrics"), "/metrics")).toBe(200);
      if (address === "127.0.0.1") return;
      for (const path of ["/metrics", "/readyz"]) expect(await statusAt(portOf("http"), path)).toBe(401);
      expect(await statusAt(portOf("http"), "/healthz")).toBe(200);
    },
  );

  it("publishes neither the port of probes nor what is asked there", () => {
    for (const file of ["compose.yaml", "cluster.compose.yaml"]) {
      const { services } = parse(read(file), { merge: true });
      // biome-ignore lint/suspicious/noExplicitAny: as compose files are
      const published = Object.values<any>(services).flatMap(({ ports = [] }) => ports as string[]);
      expect(published.filter((port) => port.includes("9464") || port.includes("8080"))).toEqual([]);
    }
    expect(read("cluster.Caddyfile").match(/health_port (\d+)/g)).toEqual(["health_port 9464", "health_port 9464"]);
    const services = parseAllDocuments(read("kubernetes", "parlance.yaml"))
      // biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
      .map((document) => (document as { toJS(): any }).toJS())
      .filter(({ kind }) => kind === "Service");
    for (const { spec } of services) for (const port of spec.ports) expect(port.targetPort).not.toBe("metrics");
  });

  it("has systemd units that systemd understands", () => {
    for (const file of readdirSync(deploy).filter((name) => name.endsWith(".service"))) {
      expect(read(file)).toMatch(/^ExecStart=\/usr\/bin\/node bin\/parlance\.js (serve|worker)$/m);
      expect(complaints(join(deploy, file))).toEqual([]);
    }
  });
});

function addressOfThisMachine(): string {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal);
  return found?.address ?? "127.0.0.1";
}

/** What systemd-analyze says about the unit itself; users and folders of the machine it will run on are not here. */
function complaints(file: string): string[] {
  try {
    execFileSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (error) {
    const { code, stderr = "" } = error as { code?: string; stderr?: string };
    if (code === "ENOENT") return [];
    return stderr.split("\n").filter((line) => /Unknown (key|section|lvalue)|Invalid|Failed to parse/i.test(line));
  }
}
