import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { allSettings } from "../../src/platform/settings/settings.ts";

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

  it("has systemd units that systemd understands", () => {
    for (const file of readdirSync(deploy).filter((name) => name.endsWith(".service"))) {
      expect(read(file)).toMatch(/^ExecStart=\/usr\/bin\/node bin\/parlance\.js (serve|worker)$/m);
      expect(complaints(join(deploy, file))).toEqual([]);
    }
  });
});

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
