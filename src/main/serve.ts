import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { mountService } from "../accounts/http/mount-service.ts";
import { createUsageWriter } from "../accounts/usage/usage-writer.ts";
import { createKeyVerifier } from "../accounts/verify-key.ts";
import { createKeyWatch } from "../accounts/watch-keys.ts";
import { createJobQueue } from "../adapters/jobs/create-job-queue.ts";
import { readModels } from "../adapters/models/catalog.ts";
import { createModelStore } from "../adapters/models/model-folder.ts";
import { openInstallationKey } from "../adapters/vault/installation-key.ts";
import { openKeyVault } from "../adapters/vault/key-vault.ts";
import { shareVault } from "../adapters/vault/share-vault.ts";
import { mountDashboard } from "../dashboard/mount-dashboard.ts";
import { servePages } from "../dashboard/serve-pages.ts";
import { createSetupLink, isSetUp } from "../dashboard/sign-in/setup-link.ts";
import { extractionService } from "../extraction/service.ts";
import { createGateway } from "../gateway/create-gateway.ts";
import { readRoutingSeed } from "../gateway/routing/read-seed.ts";
import { gatewayService } from "../gateway/service.ts";
import { limitServer } from "../limits/limit-server.ts";
import { MemoryStore } from "../limits/memory-store.ts";
import { type OpenWindow, SlidingWindow } from "../limits/sliding-window.ts";
import { SqlStore } from "../limits/sql-store.ts";
import { TokenLimit } from "../limits/token-limit.ts";
import { UnknownKeyLimit } from "../limits/unknown-key-limit.ts";
import { systemClock } from "../platform/clock.ts";
import { createHealth } from "../platform/health.ts";
import { createServer } from "../platform/http/create-server.ts";
import { speakDialect } from "../platform/http/errors.ts";
import { logRequests } from "../platform/http/log-requests.ts";
import { measureRequests } from "../platform/http/metrics.ts";
import { serveReferenceScripts } from "../platform/http/openapi/reference-page.ts";
import { traceRequests } from "../platform/http/traces.ts";
import { createLog } from "../platform/log.ts";
import { engineGroups } from "../platform/settings/engine-settings.ts";
import { publicUrlOf, type Settings } from "../platform/settings/settings.ts";
import { watchStalls } from "../platform/stall-watch.ts";
import { voiceDialect } from "../voice/dialect.ts";
import { createPersonaStore } from "../voice/personas/store.ts";
import { createPersonaUse } from "../voice/personas/use-persona.ts";
import { voiceService } from "../voice/service.ts";
import { createLiveSockets } from "../voice/streams/live-sockets.ts";
import { createTokenStore } from "../voice/streams/store.ts";
import { adminService } from "./admin-api/service.ts";
import { createCalls } from "./calls.ts";
import { openBus, reachWorkers } from "./cluster.ts";
import type { AdminContext } from "./commands/admin-command.ts";
import { runAdminCommand } from "./commands/admin-commands.ts";
import { dashboardParts } from "./dashboard-parts.ts";
import { StartError } from "./data-folder.ts";
import { destroyOrphans } from "./destroy-orphans.ts";
import type { EngineContext } from "./engine-context.ts";
import { createEngines, type Engines } from "./engines.ts";
import { createFirstKey, keyHint, welcomeFirstStart } from "./first-start.ts";
import { forgetOldRows } from "./forget-old-rows.ts";
import { beginOpening } from "./infrastructure.ts";
import { closeGracefully, listen } from "./listen.ts";
import { createLocalModels } from "./local-models.ts";
import { measureGateway } from "./measure-gateway.ts";
import { askGateway, toGatewayAddress } from "./openai-address.ts";
import { createOperations } from "./operations.ts";
import { addOperationsRoutes, listenForOperators } from "./operations-routes.ts";
import { pullInBackground } from "./pull-in-background.ts";
import { sealFormerSecrets } from "./seal-former-secrets.ts";
import { createStatusBoard } from "./status-board.ts";
import { readLastUses, warmTasks } from "./warm-tasks.ts";
import { warmUp } from "./warm-up.ts";

export interface RunningServer {
  port: number;
  publicUrl: string;
  /** A key for whoever starts the server for the first time, as long as there is none. */
  createFirstKey(): Promise<string | undefined>;
  /** How to make a key, as long as none was ever used. */
  keyHint(): Promise<string | undefined>;
  /** Whether somebody can sign in to the dashboard. */
  hasOwner(): Promise<boolean>;
  /** Where the first person becomes the owner. */
  setupLink(): Promise<string>;
  /** Stops accepting, lets running requests finish until the deadline, writes everything down. */
  close(): Promise<void>;
}

/** Brings the whole platform up. Throws a StartError with one clear line when it cannot. */
export async function serve(
  settings: Settings,
  log = createLog(settings.log),
  opening = beginOpening(settings, log),
  openEngines: (context: EngineContext) => Engines = createEngines,
): Promise<RunningServer> {
  const { services: served } = settings.server;
  const hasBoth = served.includes("voice") && served.includes("gateway");
  const rewriteUrl = hasBoth ? toGatewayAddress : (url: string) => url;
  const app = await createServer({ ...settings.limits, ...settings.server, rewriteUrl });
  limitServer(app, { ...settings.limits, ...settings.server }, log);
  const metrics = measureRequests(app);
  const stopTraces = settings.log.otlpUrl ? traceRequests(app, settings.log.otlpUrl) : async () => {};
  logRequests(app, log);
  const stalls = watchStalls(log);
  app.addHook("onRequest", (request, _reply, done) => {
    stalls.entered(request.routeConfig.url ?? "unknown");
    done();
  });

  const { database, close: closeDatabase } = await opening.opened;
  const { queries } = database;
  const closers: (() => Promise<void>)[] = [closeDatabase, stopTraces, async () => stalls.stop()];
  const closeAll = async () => {
    for (const close of closers.reverse())
      await close().catch((error) => log.error({ error: String(error) }, "shutdown"));
  };
  try {
    // Known only when the server listens: port 0 is any free one.
    const reachedAt = () => {
      const address = app.server.address() as AddressInfo | null;
      return address && !settings.server.publicUrl ? `http://localhost:${address.port}` : publicUrlOf(settings);
    };
    await welcomeFirstStart(queries);
    const health = createHealth(log);
    const usage = await createUsageWriter(queries, settings.storage.dataDir, log, health);
    closers.push(() => usage.close());
    const verifier = createKeyVerifier(queries, systemClock);
    closers.push(() => verifier.flush());
    const keyWatch = createKeyWatch(queries, systemClock);
    closers.push(async () => keyWatch.close());
    const ownVault = await openKeyVault(settings.storage.dataDir);
    closers.push(() => ownVault.close());
    const installationKey = openInstallationKey(settings.storage.dataDir, settings.storage.masterKey);
    let routingChanged = async () => {};
    const admin: AdminContext = {
      queries,
      secrets: () => installationKey,
      routing: { seed: readRoutingSeed(settings), changed: () => routingChanged() },
      flushUsage: () => usage.flush(),
      vault: async () => ownVault,
      publicUrl: reachedAt,
    };
    opening.onCommand((command, input) => runAdminCommand(command, input, admin));

    const catalog = readModels(settings.storage.modelsDir);
    const models = createModelStore(settings.storage.modelsDir, catalog);
    const board = createStatusBoard(models);
    const bus = await openBus(settings, log);
    closers.push(() => bus.close());
    const hasPeers = bus.kind === "nats" && database.kind === "postgres";
    const cluster = hasPeers ? { bus, name: settings.cluster.busName } : undefined;
    const reach = reachWorkers(settings, bus, board, log);
    closers.push(async () => reach.close());
    const engines = openEngines({ settings, models, board, log, spread: reach.spread });
    closers.push(() => engines.close());
    const jobs = createJobQueue(database, log);
    closers.push(() => jobs.stop());
    const forgetting = forgetOldRows(queries, settings.storage, log);
    closers.push(async () => forgetting.stop());

    const liveSockets = createLiveSockets({ most: 100 * availableParallelism(), keys: keyWatch });
    // Only PostgreSQL has several servers to agree with.
    const sharesRate = settings.cluster.sharesRate && database.kind === "postgres";
    const openWindow: OpenWindow = (name, windowMs, isPlan = false) =>
      // A plan includes what it includes, whichever of the servers is asked.
      new SlidingWindow(
        sharesRate || (isPlan && database.kind === "postgres")
          ? new SqlStore(queries, name, windowMs)
          : new MemoryStore(windowMs, systemClock),
      );
    // By the second: a key may use tokens many times in one.
    const tokens = sharesRate
      ? new SqlStore(queries, "gateway-tokens", 60_000, 1000)
      : new MemoryStore(60_000, systemClock, 1000);
    const openedGateway = await createGateway({
      tokenLimit: new TokenLimit(new SlidingWindow(tokens), log),
      settings,
      queries,
      clock: systemClock,
      log,
      health,
      local: createLocalModels(engines),
      secrets: installationKey,
      isShared: database.kind === "postgres",
      cluster,
      // Without an upstream nothing needs the client.
      openClient: async (options) =>
        (await import("../adapters/upstreams/undici-client.ts")).createUpstreamClient(options),
    });
    const { gateway } = openedGateway;
    routingChanged = openedGateway.routingChanged;
    closers.push(openedGateway.close);
    measureGateway(metrics, gateway);

    const personas = createPersonaStore(queries);
    if (cluster && !settings.storage.masterKey)
      throw new StartError(
        "Servers that share a database and a bus need SVC_MASTER_KEY, the same on all of them. Make one with: openssl rand -base64 32",
      );
    await sealFormerSecrets(queries, installationKey);
    const { transportKey } = installationKey;
    const vault = cluster ? shareVault(ownVault, { ...cluster, transportKey, log }) : ownVault;
    destroyOrphans(queries, ownVault, log);
    const usePersona = createPersonaUse({ personas, vault, clock: systemClock });
    const calls = createCalls({ settings, engines, usePersona, usage, keys: keyWatch, log, metrics });
    closers.push(() => calls.close());
    const unknown = new UnknownKeyLimit(systemClock);
    const services = [
      voiceService({
        openWindow,
        personas,
        vault,
        usePersona,
        clock: systemClock,
        ratePerMinute: settings.limits.voicePerMinute,
        speech: engines.speech,
        hearing: engines.hearing,
        printer: engines.cloning.printer,
        cloner: engines.cloning.cloner,
        diarisation: engines.cloning.diarisation,
        jobs,
        tokens: createTokenStore(queries, systemClock, unknown),
        unknown,
        sockets: liveSockets,
        publicUrl: reachedAt,
        quickVoices: { "en-us": "en_nora" },
        calls: calls.live,
        iceServers: calls.iceServers,
        usage,
        log,
        ...engines.words,
        ...(hasBoth ? { openAiEmbeddings: askGateway(app, "/embeddings") } : {}),
      }),
      gatewayService({ gateway, openWindow, ratePerMinute: settings.limits.gatewayPerMinute, queries, jobs }),
      ...(settings.server.services.includes("extraction")
        ? [
            extractionService({
              openWindow,
              clock: systemClock,
              enterprisePerHour: settings.limits.enterprisePerHour,
              queries,
              vault,
              digest: installationKey.digest,
              secrets: installationKey,
              jobs,
              reader: engines.reader,
              understanding: engines.understanding,
              readsHere: engines.readsHere,
              fieldModel: engines.fieldModel,
              ...settings.extraction,
              bus,
              finishedSubject: `${settings.cluster.busName}.extraction.finished`,
              // Servers that share a database and no bus do each other's work without a word.
              pollMs: database.kind === "postgres" && !hasPeers ? 500 : 5000,
              log,
            }),
          ]
        : []),
    ].filter(({ name }) => settings.server.services.includes(name));
    const isAlone = services.length === 1;
    const publicUrl = publicUrlOf(settings);
    // Somebody must answer for unknown paths; a service that sits at the root does so itself.
    const hasRoot = services.some(({ base, baseWhenAlone }) => base === "" || (isAlone && baseWhenAlone === ""));
    if (!hasRoot) speakDialect(app, (services[0] ?? { dialect: voiceDialect }).dialect, log);
    const shared = { verifier, health, unknown, usage, log, publicUrl };
    for (const service of services) {
      await mountService(app, service, { ...shared, isAlone });
    }
    await mountService(app, adminService(admin), { ...shared, isAlone: false });
    serveReferenceScripts(app);
    let isDraining = false;
    let warming: ReturnType<typeof warmUp> | undefined;
    const warm = () => warming?.report() ?? [];
    const operations = createOperations({ database, bus, board, health, metrics, warm, isDraining: () => isDraining });
    addOperationsRoutes(app, operations, settings.server);
    if (settings.server.services.includes("dashboard")) {
      const described = services.map(({ name, api, base }) => ({ name, title: api.title, base }));
      const needs = {
        cluster: { bus, name: settings.cluster.busName },
        secrets: installationKey,
        settings,
        catalog,
        models,
        board,
        engines,
        publicUrl: reachedAt,
        services: described,
      };
      await mountDashboard(app, dashboardParts({ ...needs, database, health, usage, verifier, gateway, log }));
      servePages(app);
    }
    const port = await listen(app, settings);
    closers.push(await listenForOperators(operations, settings.server));
    stalls.begin();
    const { own, warmsUp } = settings.engines;
    if (warmsUp && settings.server.services.includes("voice")) {
      const lately = () => readLastUses(queries, systemClock.now());
      warming = warmUp(async () => warmTasks(await lately(), engines, own), log);
    }
    // A node that leaves engines to workers fetches what its own need.
    const needed = own.length === engineGroups.length ? [] : board.entries().flatMap(({ modelIds }) => modelIds);
    const pulls = settings.storage.pullsModels && own.length > 0;
    const pulling = pulls ? pullInBackground(board, log, [...new Set(needed)]) : undefined;

    return {
      port,
      publicUrl: settings.server.publicUrl ?? `http://localhost:${port}`,
      createFirstKey: () => createFirstKey(queries),
      keyHint: () => keyHint(queries),
      hasOwner: () => isSetUp(queries),
      setupLink: () => createSetupLink(queries, systemClock, reachedAt()),
      async close() {
        isDraining = true;
        app.endSoon();
        pulling?.stop();
        if (settings.server.drainMs > 0) await new Promise((resolve) => setTimeout(resolve, settings.server.drainMs));
        warming?.stop();
        await Promise.all([
          liveSockets.close(settings.server.shutdownMs),
          calls.live.close(settings.server.shutdownMs),
        ]);
        await closeGracefully(app, settings.server.shutdownMs);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
