import { existsSync, statfsSync } from "node:fs";
import net from "node:net";
import { dirname } from "node:path";
import { sql } from "drizzle-orm";
import { INSTALL_HINT, installedDirections } from "../../adapters/engines/apertium/apertium.ts";
import { findGaps } from "../../adapters/engines/host/cage/cage.ts";
import { directionsOf, readDirections } from "../../adapters/engines/translation-router/directions.ts";
import { TRANSLATOR_MODEL } from "../../adapters/engines/translator/translator.ts";
import { type Settings, usesPostgres } from "../../platform/settings/settings.ts";
import { callOwner } from "../admin-socket.ts";
import { folderId } from "../installation-id.ts";
import { damagedModels, missingModels } from "./model-commands.ts";
import { openHere } from "./run-anywhere.ts";

interface Finding {
  check: string;
  state: "ok" | "warning" | "problem";
  detail: string;
}

const leastFreeBytes = 5e9;

/** What is well and what is not, in the order in which a person would look. */
export async function examine(settings: Settings): Promise<Finding[]> {
  return [
    checkNode(),
    checkDisk(settings),
    await checkModels(settings),
    checkTranslation(settings),
    await checkDatabase(settings),
    await checkPort(settings),
    await checkCage(),
    ...(await checkEngines(settings)),
  ];
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 19);
  return {
    check: "node",
    state: isNew ? "ok" : "problem",
    detail: `${process.version}${isNew ? "" : "; 20.19 or newer is needed"}`,
  };
}

function checkDisk({ storage }: Settings): Finding {
  let folder = storage.modelsDir;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const detail = `${(free / 1e9).toFixed(1)} GB free for models in ${storage.modelsDir}`;
  return free > leastFreeBytes
    ? { check: "disk", state: "ok", detail }
    : {
        check: "disk",
        state: "warning",
        detail: `${detail}; the default models need about 3 GB. Set SVC_MODELS_DIR to another disk.`,
      };
}

async function checkModels(settings: Settings): Promise<Finding> {
  const missing = missingModels(settings);
  const damaged = await damagedModels(settings);
  if (damaged.length > 0) {
    const detail = `not what they were: ${damaged.join(", ")}. Replace them with: ./parlance models pull`;
    return { check: "models", state: "problem", detail };
  }
  return missing.length === 0
    ? { check: "models", state: "ok", detail: "the default set is here" }
    : {
        check: "models",
        state: "warning",
        detail: `missing: ${missing.join(", ")}. Fetch them with: ./parlance models pull`,
      };
}

async function checkCage(): Promise<Finding> {
  const gaps = await findGaps();
  return gaps.length === 0
    ? {
        check: "cage",
        state: "ok",
        detail: "processes that read files have no network, no other process and no other file",
      }
    : {
        check: "cage",
        state: "warning",
        detail: `not all that processes which read files must not do can be kept from them here: ${gaps.join("; ")}`,
      };
}

function checkTranslation(settings: Settings): Finding {
  const { translation } = settings.engines;
  if (!translation.includes("local")) return { check: "translation", state: "ok", detail: translation };
  const byApertium = installedDirections();
  const byTranslator = missingModels(settings).includes(TRANSLATOR_MODEL)
    ? []
    : directionsOf(TRANSLATOR_MODEL, readDirections());
  const names = new Set([...byTranslator, ...byApertium].map(({ source, target }) => `${source} ${target}`));
  const detail = `${names.size} directions on this machine`;
  if (byApertium.length > 0) return { check: "translation", state: "ok", detail };
  return { check: "translation", state: names.size > 0 ? "ok" : "warning", detail: `${detail}. ${INSTALL_HINT}` };
}

async function checkDatabase(settings: Settings): Promise<Finding> {
  const kind = usesPostgres(settings) ? "postgres" : "embedded";
  // A look must not leave anything behind: no folder, no tables.
  const { embeddedFolder } = await import("../infrastructure.ts");
  const isNew = folderId(settings.storage.dataDir) === undefined;
  if (kind === "embedded" && isNew && !existsSync(embeddedFolder(settings))) {
    return { check: "database", state: "ok", detail: `the first start makes it in ${settings.storage.dataDir}` };
  }
  try {
    return { check: "database", state: "ok", detail: `${kind}, ${await countWorkspaces(settings)}` };
  } catch (error) {
    return { check: "database", state: "problem", detail: (error as Error).message };
  }
}

async function countWorkspaces(settings: Settings): Promise<string> {
  const answer = await callOwner(settings.storage.dataDir, "workspaces list", {}).catch(() => undefined);
  if (answer) return `${(answer.result as unknown[]).length} workspaces`;
  const { database, close } = await openHere(settings, "look");
  try {
    const there = await database.queries.execute(sql`SELECT to_regclass('workspaces')::text AS name`);
    if (there.rows[0]?.name == null) return "without tables yet; the first start makes them";
    const counted = await database.queries.execute(sql`SELECT count(*)::int AS number FROM workspaces`);
    return `${counted.rows[0]?.number} workspaces`;
  } finally {
    await close();
  }
}

async function checkPort({ server, storage }: Settings): Promise<Finding> {
  const isOurs = (await callOwner(storage.dataDir, "pid", {}).catch(() => undefined)) !== undefined;
  const isTaken = await new Promise<boolean>((resolve) => {
    const probe = net.connect(server.port, server.host === "0.0.0.0" ? "127.0.0.1" : server.host);
    probe.once("connect", () => resolve(true)).once("error", () => resolve(false));
    probe.once("connect", () => probe.destroy());
  });
  if (!isTaken) return { check: "port", state: "ok", detail: `${server.port} is free` };
  return isOurs
    ? { check: "port", state: "ok", detail: `Parlance is listening on ${server.port}` }
    : { check: "port", state: "problem", detail: `${server.port} is taken by another program. Set SVC_PORT.` };
}

/** A running server knows how its engines are; without one there is nothing to ask. */
async function checkEngines({ server }: Settings): Promise<Finding[]> {
  try {
    const reply = await fetch(`http://127.0.0.1:${server.port}/readyz`, { signal: AbortSignal.timeout(3000) });
    const { engines } = (await reply.json()) as { engines: { engine: string; state: string; reason?: string }[] };
    return engines.map(({ engine, state, reason }) => ({
      check: `engine ${engine}`,
      state: state === "ready" || state === "loading" ? "ok" : "warning",
      detail: reason ? `${state}: ${reason}` : state,
    }));
  } catch {
    return [
      {
        check: "engines",
        state: "ok",
        detail: "the server is not running; start it with ./start to check its engines",
      },
    ];
  }
}
