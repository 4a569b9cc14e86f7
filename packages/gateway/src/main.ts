/**
 * Wires everything once: store, records, sandbox, lanes, doors; and takes it down in the opposite order. The only file
 * that opens a store or a carrier. It decides nothing about messages.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { openCarrier } from './carriers/open.ts';
import { type SandboxCarrier, startSandboxCarrier } from './carriers/sandbox/sandbox.ts';
import { type RunningWebhookInbox, startWebhookInbox } from './carriers/sandbox/webhook-inbox.ts';
import { type Config, localUrl } from './config.ts';
import { createIds } from './domain/ids.ts';
import { defaultLimits } from './domain/limits.ts';
import type { Logger } from './domain/logger.ts';
import type { CarrierRecord } from './domain/records.ts';
import { createAcceptor } from './flow/accept.ts';
import { type CarrierNews, createCarrierNews } from './flow/carrier-news.ts';
import { createConsent } from './flow/consent.ts';
import { type DirectoryFollower, followDirectory } from './flow/directory-follower.ts';
import { createKeeper, type Keeper } from './flow/keeper.ts';
import { createLanes, type Lanes } from './flow/lanes.ts';
import { createReceiver } from './flow/receive.ts';
import { createReferences } from './flow/reference.ts';
import { createSettler } from './flow/settle.ts';
import { sandboxInboxRoutes } from './http/sandbox-inbox-routes.ts';
import { sandboxRoutes } from './http/sandbox-routes.ts';
import { createServer, type Server } from './http/server.ts';
import { machineClock as clock, machineRandom as random } from './machine.ts';
import { type ApplyReport, applyFile } from './records/apply.ts';
import { inboxSecrets } from './records/inbox-endpoint.ts';
import { type FirstSteps, sandboxCarrierLogin, seedRecords, seedSandbox, withoutSandbox } from './records/seed.ts';
import { createSealer, loadSecretKey, type Sealer } from './sealing.ts';
import { failStop } from './store/fail-stop.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import { version } from './version.ts';
import { mayUsePrivateUrls, openWebhooks, type Webhooks } from './webhooks.ts';

/** What the carriers still owe after this long is uncertain, on disk. */
const drainMs = 30_000;
const simulatorHost = '127.0.0.1';

export interface Gateway {
  readonly port: number;
  /** Where a browser on this machine finds it; without a slash at the end. */
  readonly baseUrl: string;
  readonly version: string;
  /** Null when the sandbox is off. */
  readonly firstSteps: FirstSteps | null;
  /** What the records file of the configuration changed; null without one. */
  readonly applied: ApplyReport | null;
  /** Whether the sandbox's inbox takes webhooks. */
  readonly webhookInbox: boolean;
  /** Enabled carriers that reach real telephones. */
  readonly liveCarriers: number;
  /** Stops accepting, drains, settles, closes. Resolves when nothing is left running. */
  stop(): Promise<void>;
}

export interface GatewayParts {
  config: Config;
  logger: Logger;
  /** The store cannot be trusted any more: must end the process at once. */
  broken(error: unknown): void;
}

/** What is running, in the order it was started. */
interface Running {
  store: Store;
  simulator: SandboxCarrier | null;
  inbox: RunningWebhookInbox | null;
  directory: DirectoryFollower;
  lanes: Lanes;
  news: CarrierNews;
  keeper: Keeper;
  webhooks: Webhooks;
  server: Server;
}

/** Starts a whole gateway. Rejects with StoreRefused, a records problem or the system's error when it cannot. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { config } = parts;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const sealer = createSealer(loadSecretKey({ dataDir: config.dataDir, keyFile: config.secretKeyFile, random }));
  const opened = await openStore({
    databaseUrl: config.databaseUrl?.reveal(),
    dataDir: config.dataDir,
    role: 'node',
    clock,
  });
  const store = failStop(opened, parts.broken);
  try {
    if (config.sandbox) await seedRecords(store);
    const applied =
      config.configFile === null ? null : await applyFile(config.configFile, { store, sealer, clock, random });
    return { ...(await startOn(store, sealer, parts)), applied };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function startOn(store: Store, sealer: Sealer, parts: GatewayParts): Promise<Omit<Gateway, 'applied'>> {
  const { config, logger } = parts;
  const running = await wire(store, sealer, parts);
  const { server, lanes, keeper, directory, simulator, inbox, webhooks } = running;
  try {
    const recovered = await keeper.recover();
    if (recovered > 0) logger.warn({ count: recovered }, 'uncertain since the last stop: waiting for receipts');
    const { port } = await server.listen();
    const baseUrl = config.publicUrl ?? localUrl(config, port);
    const firstSteps =
      simulator === null
        ? null
        : await seedSandbox(store, {
            dataDir: config.dataDir,
            sealer,
            random,
            clock,
            simulator: { host: simulatorHost, port: simulator.port },
            inboxUrl: inbox?.url,
            baseUrl,
          });
    await directory.refresh();
    await lanes.follow();
    await webhooks.start();
    directory.start();
    keeper.start();
    logger.info({ version, port, engine: store.engine, sandbox: config.sandbox }, 'started');
    const { carriers } = directory.current().records;
    const liveCarriers = carriers.filter((carrier) => carrier.environment === 'live' && carrier.enabled).length;
    const webhookInbox = inbox !== null;
    return { port, baseUrl, version, firstSteps, webhookInbox, liveCarriers, stop: () => takeDown(running) };
  } catch (error) {
    await takeDown(running);
    throw error;
  }
}

async function wire(store: Store, sealer: Sealer, { config, logger, broken }: GatewayParts): Promise<Running> {
  const ids = createIds(clock, random);
  let lanes: Lanes;
  let webhooks: Webhooks;
  const directory = await followDirectory({
    clock,
    logger,
    store,
    view: (records) => (config.sandbox ? records : withoutSandbox(records)),
    changed: () => {
      webhooks.recordsChanged();
      return lanes.follow();
    },
  });
  const common = { clock, random, logger, ids, store, directory: directory.current };
  const nextReference = createReferences(random);
  const consent = createConsent({
    ...common,
    limits: defaultLimits,
    nextReference,
    carrierUp: (carrierId) => lanes.up(carrierId),
  });
  await consent.load();
  const receiver = createReceiver({ ...common, consent, nudge: (lane) => lanes.nudge(lane) });
  const settler = createSettler({
    ...common,
    uncertainWaitMs: config.uncertainWaitMs,
    isSandbox: (lane) => lanes.isSandbox(lane),
    nextLane: (claim) => lanes.nextLane(claim),
  });
  const openRecord = (record: CarrierRecord) => openCarrier(unsealed(record, sealer), { clock, random, logger });
  const news = createCarrierNews({ ...common, broken });
  lanes = createLanes({ ...common, consent, settler, receiver, openCarrier: openRecord, linked: news.link });
  const keeper = createKeeper({ ...common, lanes, uncertainWaitMs: config.uncertainWaitMs, broken });
  const acceptor = createAcceptor({ ...common, limits: defaultLimits, lanes, consent, nextReference });
  const simulator = config.sandbox ? await startSimulator(config, logger) : null;
  const reachable = config.sandbox && mayUsePrivateUrls({ config, directory });
  const inbox = reachable ? await startInbox(config, logger, sealer, directory) : null;
  let port: number | null = null;
  // The inbox is there to be reached.
  const ownPorts = () => [port, simulator?.port].filter((own) => typeof own === 'number');
  webhooks = openWebhooks({ ...common, config, sealer, directory, consent, ownPorts, broken });
  const server = await createServer({
    ...common,
    config: {
      host: config.host,
      port: config.port,
      tls: config.tls === null ? undefined : readTls(config.tls),
      trustedProxies: config.trustedProxies,
      publicUrl: config.publicUrl,
    },
    acceptor,
    limits: defaultLimits,
    ready: async () =>
      (await store.healthy())
        ? { ready: true, detail: 'ready' }
        : { ready: false, detail: 'the store takes no writes' },
    version,
    routes: [
      ...webhooks.routes,
      ...(simulator === null ? [] : [sandboxRoutes(simulator.handsets)]),
      ...(inbox === null ? [] : [sandboxInboxRoutes(inbox)]),
    ],
  });
  const listening: Server = {
    ...server,
    listen: async () => {
      const bound = await server.listen();
      port = bound.port;
      return bound;
    },
  };
  return { store, simulator, inbox, directory, lanes, news, keeper, webhooks, server: listening };
}

async function takeDown(running: Running): Promise<void> {
  const { store, simulator, inbox, directory, lanes, news, keeper, webhooks, server } = running;
  // Whoever waits for a text on a handset or for an event is answered now, or it would hold up the doors.
  simulator?.endWaits();
  inbox?.endWaits();
  webhooks.endWaits();
  await server.close();
  directory.stop();
  news.stop();
  await keeper.stop();
  await lanes.stop(drainMs);
  await webhooks.stop();
  await inbox?.stop();
  await simulator?.stop();
  await store.close();
}

function startSimulator(config: Config, logger: Logger): Promise<SandboxCarrier> {
  return startSandboxCarrier({
    host: simulatorHost,
    preferredPort: config.simulatorSmppPort,
    ...sandboxCarrierLogin,
    clock,
    random,
    logger,
  });
}

function startInbox(
  config: Config,
  logger: Logger,
  sealer: Sealer,
  directory: DirectoryFollower,
): Promise<RunningWebhookInbox> {
  return startWebhookInbox({
    host: simulatorHost,
    preferredPort: config.webhookInboxPort,
    secrets: () => inboxSecrets(directory.current().records, sealer, clock.now()),
    clock,
    random,
    logger,
  });
}

function unsealed(record: CarrierRecord, sealer: Sealer): CarrierRecord {
  return { ...record, smpp: { ...record.smpp, password: sealer.open(record.smpp.password) } };
}

function readTls(files: { certFile: string; keyFile: string }): { cert: string; key: string } {
  return { cert: readFileSync(files.certFile, 'utf8'), key: readFileSync(files.keyFile, 'utf8') };
}
