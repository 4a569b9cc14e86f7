/**
 * Wires everything once: store, records, sandbox, lanes, doors. Each part is added to the lifecycle as soon as it is open,
 * which takes everything down in its written order. It decides nothing about messages.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { kindOf } from '../carriers/kinds.ts';
import { createIds } from '../domain/ids.ts';
import { defaultLimits, stopDrainMs } from '../domain/limits.ts';
import type { Logger } from '../domain/logger.ts';
import { profileOf } from '../domain/records.ts';
import { createCarrierWatch } from '../flow/carrier-watch.ts';
import { type DirectoryFollower, followDirectory } from '../flow/directory-follower.ts';
import type { People } from '../flow/people/people.ts';
import { createRequestLog } from '../flow/request-log.ts';
import { createTrustedClock, type TrustedClock } from '../flow/trusted-clock.ts';
import { createBudgets } from '../flow/usage/budget.ts';
import { createUsageFollower } from '../flow/usage/follow.ts';
import { createUsageDesk } from '../flow/usage/report.ts';
import { createWaiting } from '../flow/waiting.ts';
import { cancelRoute } from '../http/cancel-route.ts';
import { carrierRoutes } from '../http/carrier-routes.ts';
import type { EdgeTls } from '../http/edge.ts';
import { ownHosts } from '../http/own-hosts.ts';
import { companyRoutes } from '../http/portal/company-routes.ts';
import { keyRoutes } from '../http/portal/key-routes.ts';
import { registrationRoutes } from '../http/portal/registration-routes.ts';
import { webhookRoutes } from '../http/portal/webhook-routes.ts';
import { createServer, type Server } from '../http/server.ts';
import { usageRoutes } from '../http/usage-routes.ts';
import { isAddressOrBlock } from '../kernel/address.ts';
import { machineClock, machineRandom as random } from '../kernel/machine.ts';
import { createSealer, deriveKey, doctorToken, loadSecretKey, type Sealer } from '../kernel/sealing.ts';
import { version } from '../kernel/version.ts';
import { webhookHeaderRules } from '../net/webhook-poster.ts';
import { type ApplyReport, applyFile } from '../records/apply.ts';
import { type FirstSteps, seedRecords, seedSandbox, withoutSandbox } from '../records/seed.ts';
import type { Store } from '../store/store.ts';
import { bindSecrets } from './bound-secrets.ts';
import { openCertificate } from './certificate.ts';
import { type Config, localUrl } from './config.ts';
import { closeDataFolder } from './data-folder.ts';
import { firstAdministrator } from './first-administrator.ts';
import { createLifecycle, type Lifecycle, type Part } from './lifecycle.ts';
import { type MessageFlow, openMessageFlow } from './message-flow.ts';
import { openMediaRoom } from './mms.ts';
import { openStore } from './open-store.ts';
import { openOperator } from './operator.ts';
import { createOutside } from './outside.ts';
import { createOwnAddress } from './own-address.ts';
import { openPortal } from './portal.ts';
import { portalMessages } from './portal-messages.ts';
import { openRegistration } from './registration.ts';
import { type Simulator, simulatorHost, startSimulator } from './simulator.ts';
import { openUpkeep } from './upkeep.ts';
import { openWebhooks } from './webhooks.ts';

export interface Gateway {
  readonly port: number;
  /** Where a browser on this machine finds it; without a slash at the end. */
  readonly baseUrl: string;
  readonly version: string;
  /** Null when the sandbox is off. */
  readonly firstSteps: FirstSteps | null;
  /** What the records file of the configuration changed; null without one. */
  readonly applied: ApplyReport | null;
  /** One-time key for the first administrator; null when there is one. */
  readonly setupKey: string | null;
  /** The state of each bind to the simulated carrier of texts, as it is now; empty when the sandbox is off. */
  sandboxBinds(): string[];
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

/** What is open but not started. The lifecycle knows how each of it starts and stops. */
interface Opened {
  flow: MessageFlow;
  simulator: Simulator | null;
  directory: DirectoryFollower;
  people: People;
  server: Server;
  /** Done when records, carriers and sandbox are there: only then it calls itself ready. */
  startUp: { done: boolean };
}

/** The secrets of this installation, and the clock it lives by. */
interface Keys {
  sealer: Sealer;
  /** Signs URLs of media. */
  mediaUrls: Uint8Array;
  clock: TrustedClock;
  /** Lets `helio doctor`, which can read the secret key, ask more than a stranger. */
  doctorToken: string;
}

/** Starts a whole gateway. Rejects with StoreRefused, a records problem or the system's error when it cannot. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { config } = parts;
  closeFolder(config.dataDir, parts.logger);
  const key = loadSecretKey({ dataDir: config.dataDir, keyFile: config.secretKeyFile, random });
  const sealer = createSealer(key);
  const clock = createTrustedClock(machineClock, parts.logger);
  const opened = await openStore({
    databaseUrl: config.databaseUrl?.reveal(),
    dataDir: config.dataDir,
    role: 'node',
    clock,
    logger: parts.logger,
    recovered: (found) => parts.logger.warn({ ...found }, 'brought in from the journal what the last stop left there'),
    broken: parts.broken,
  });
  const store = bindSecrets(opened, sealer);
  const lifecycle = createLifecycle(parts.logger);
  lifecycle.add({ name: 'store', stop: () => store.close() }, clockWatch(clock));
  try {
    clock.compare(await store.newestEventAt());
    if (config.sandbox) await seedRecords(store);
    const applied =
      config.configFile === null
        ? null
        : await applyFile(config.configFile, { store, sealer, clock, random, leaveOut: true });
    return {
      ...(await startOn(
        store,
        { sealer, mediaUrls: deriveKey(key, 'media urls'), doctorToken: doctorToken(key), clock },
        parts,
        lifecycle,
      )),
      applied,
    };
  } catch (error) {
    // What fails while it stops is in the log; the caller needs to know why the gateway did not start.
    await lifecycle.stop().catch(() => {});
    throw error;
  }
}

/** What others could read until now is said, once: whoever used that knows more than they should. */
function closeFolder(dataDir: string, logger: Logger): void {
  const { mended, open } = closeDataFolder(dataDir);
  if (mended.length > 0) {
    const { path, mode } = mended[0]!;
    logger.warn(
      { count: mended.length, path, mode },
      'files of the data folder were open to others; they are closed now',
    );
  }
  if (open.length > 0) {
    const { path, mode } = open[0]!;
    logger.warn({ count: open.length, path, mode }, 'the data folder is open to others and belongs to another user');
  }
}

async function startOn(
  store: Store,
  keys: Keys,
  parts: GatewayParts,
  lifecycle: Lifecycle,
): Promise<Omit<Gateway, 'applied'>> {
  const { config, logger } = parts;
  const opened = await wire(store, keys, parts, lifecycle);
  const { server, flow, directory, simulator, people, startUp } = opened;
  const recovered = await flow.keeper.recover();
  if (recovered > 0) logger.warn({ count: recovered }, 'uncertain since the last stop: waiting for receipts');
  const { port } = await server.listen();
  const baseUrl = config.publicUrl ?? localUrl(config, port);
  const firstSteps =
    simulator === null
      ? null
      : await seedSandbox(store, {
          dataDir: config.dataDir,
          sealer: keys.sealer,
          random,
          clock: keys.clock,
          carriers: simulator.carriers,
          inboxUrl: simulator.inbox.url,
          baseUrl,
        });
  await directory.refresh();
  await lifecycle.start();
  logger.info({ version, port, engine: store.engine, sandbox: config.sandbox }, 'started');
  const { carriers } = directory.current().records;
  const liveCarriers = carriers.filter((carrier) => carrier.environment === 'live' && carrier.enabled).length;
  const sandboxBinds = simulator?.binds ?? (() => []);
  const setupKey = await firstAdministrator(people.setUp, config);
  startUp.done = true;
  return { port, baseUrl, version, firstSteps, setupKey, sandboxBinds, liveCarriers, stop: lifecycle.stop };
}

function clockWatch(clock: TrustedClock): Part {
  let end = (): void => {};
  return {
    name: 'clock watch',
    start: () => {
      end = clock.watch();
    },
    quiesce: () => end(),
  };
}

async function wire(
  store: Store,
  { sealer, mediaUrls, doctorToken, clock }: Keys,
  { config, logger, broken }: GatewayParts,
  lifecycle: Lifecycle,
): Promise<Opened> {
  const ids = createIds(clock, random);
  let simulator: Simulator | null = null;
  const startUp = { done: false };
  const directory = await followDirectory({
    clock,
    logger,
    store,
    view: (records) => (config.sandbox ? records : withoutSandbox(records)),
  });
  const address = createOwnAddress(config);
  const common = { clock, random, logger, ids, store, directory: directory.current };
  const withLimits = { ...common, limits: defaultLimits };
  const outside = createOutside({ config, clock, directory });
  lifecycle.add({ name: 'outside', stop: outside.close });
  const room = await openMediaRoom({
    ...common,
    dataDir: config.dataDir,
    outside,
    key: mediaUrls,
    baseUrl: address.baseUrl,
  });
  lifecycle.add({ name: 'media store', stop: room.media.close });
  const registration = await openRegistration({ ...common, dataDir: config.dataDir, outside });
  const certificate = config.tls === null ? null : openCertificate(config.tls, { clock, logger });
  const { dataDir, uncertainWaitMs, inboundMms } = config;
  const requestLog = createRequestLog(common);
  lifecycle.add({ name: 'request log', stop: requestLog.stop });
  const flow = await openMessageFlow({
    ...withLimits,
    sealer,
    room,
    dataDir,
    uncertainWaitMs,
    inboundMms,
    tls: certificate ?? undefined,
    broken,
    doubt: clock.doubt,
    flushRequests: requestLog.flush,
  });
  const { lanes } = flow;
  addMessageFlow(lifecycle, flow, { store, logger });
  if (config.sandbox) {
    const gatewayUrl = address.localUrl;
    simulator = await startSimulator({ ...common, config, sealer, directory, lanes, room, gatewayUrl });
    outside.forbidPorts(...simulator.ports);
    outside.addSimulator({ address: simulatorHost, port: simulator.inbox.port });
    // Whoever waits for a text on a handset is answered first, or it would hold up the doors.
    lifecycle.add({ name: 'simulator', quiesce: simulator.endWaits, stop: simulator.stop });
  }
  const webhooks = openWebhooks({
    ...common,
    sealer,
    directory,
    consent: flow.consent,
    outside,
    mmsNotSupported: flow.mms.fallback.follow,
    broken,
  });
  // Whoever waits for an event is answered first, or it would hold up the doors.
  lifecycle.add({ name: 'webhooks', start: webhooks.start, quiesce: webhooks.endWaits, stop: webhooks.stop });
  // Webhooks first: the send queues may take a while to close what the records no longer name.
  directory.onChanged(webhooks.recordsChanged);
  directory.onChanged(lanes.follow);
  requestLog.onKept(webhooks.live.requestsKept);
  const usage = createUsageFollower({ ...common, broken });
  lifecycle.add({ name: 'usage', start: usage.start, stop: usage.stop });
  const usageDesk = createUsageDesk(common);
  const budgetOf = createBudgets(usageDesk, directory.current);
  const apiModules = [
    ...webhooks.routes,
    ...flow.mms.routes,
    usageRoutes(usageDesk),
    ...(simulator === null ? [] : simulator.routes),
  ];
  const { people, pages, routes } = openPortal({
    ...common,
    config,
    sealer,
    refreshDirectory: directory.refresh,
    mirrored: apiModules,
    modules: [
      ...portalMessages({ clock, budgetOf, certificate, config, store, flow, webhooks, simulator, media: room.media }),
      keyRoutes({ store, random, refreshDirectory: directory.refresh, sandbox: config.sandbox, isAddressOrBlock }),
      webhookRoutes({ store, sealer, headerRules: webhookHeaderRules }),
      openUpkeep({ ...common, config, certificate, lanes }),
      ...openOperator({ ...common, sealer, lanes, refreshDirectory: directory.refresh }),
      ...registrationRoutes({ ...common, refreshDirectory: directory.refresh, pace: flow.pace, ...registration }),
      companyRoutes({ ...common, refreshDirectory: directory.refresh, erasureAsked: flow.retention.nudge }),
    ],
  });
  const edgeTls = (): EdgeTls | undefined => {
    if (certificate === null) return undefined;
    const { cert, key } = certificate;
    return { cert, key, asksForCertificate: pinsCertificates(directory) };
  };
  if (certificate !== null) lifecycle.add({ name: 'certificate', start: certificate.start, stop: certificate.stop });
  const carrierWatch = createCarrierWatch({ clock, logger, lanes });
  lifecycle.add({ name: 'carrier watch', start: carrierWatch.start, stop: carrierWatch.stop });
  lifecycle.add({ name: 'directory', start: directory.start, stop: directory.stop });
  const server = await createServer({
    ...withLimits,
    config: {
      host: config.host,
      port: config.port,
      tls: edgeTls(),
      trustedProxies: config.trustedProxies,
      connectionsPerClient: config.connectionsPerClient,
      publicUrl: config.publicUrl,
      isOwnHost: ownHosts({ publicUrl: config.publicUrl, host: config.host, allowed: config.allowedHosts }),
    },
    acceptor: flow.acceptor,
    requestLog,
    ready: async () => {
      if (!startUp.done) return { ready: false, detail: 'it is starting' };
      return (await store.healthy())
        ? { ready: true, detail: 'ready', carriers: carrierWatch.states(), clock: clock.says() }
        : { ready: false, detail: 'the store takes no writes' };
    },
    doctorToken,
    version,
    waiting: createWaiting({ ...common, lanes }),
    home: pages.home,
    routes: [
      ...apiModules,
      cancelRoute({ store, nudgeAll: lanes.nudgeAll }),
      carrierRoutes({ carrier: lanes.carrier }),
      ...routes,
    ],
  });
  lifecycle.add({ name: 'server', stop: () => server.close() });
  certificate?.onRenewed(() => server.renewCertificate(edgeTls()!));
  const listening: Server = {
    ...server,
    listen: async () => {
      const bound = await server.listen();
      address.listensOn(bound.port);
      outside.forbidPorts(bound.port);
      return bound;
    },
  };
  return {
    flow,
    simulator,
    directory,
    people,
    server: listening,
    startUp,
  };
}

function addMessageFlow(
  lifecycle: Lifecycle,
  { mms, keeper, news, lanes }: MessageFlow,
  { store, logger }: { store: Store; logger: Logger },
): void {
  lifecycle.add({
    name: 'send queues',
    start: lanes.follow,
    stop: async () => {
      const settled = lanes.stop(stopDrainMs).then(() => true);
      if (!(await Promise.race([settled, untilStoreAway(store, settled)]))) {
        logger.error({}, 'stopped without the store: what carriers answered last is uncertain at the next start');
      }
    },
  });
  lifecycle.add({ name: 'media work', start: mms.start, stop: mms.stop });
  lifecycle.add({ name: 'keeper', start: keeper.start, stop: keeper.stop });
  lifecycle.add({ name: 'carrier news', stop: news.stop });
}

/** Resolves with false when the carriers had their time, and the store takes nothing of what they answered. */
async function untilStoreAway(store: Store, settled: Promise<boolean>): Promise<boolean> {
  let over = false;
  void settled.finally(() => {
    over = true;
  });
  do await wait(stopDrainMs, undefined, { ref: false });
  while (!over && (await store.healthy()));
  return over;
}

/** Whether a carrier must show a certificate: asked for from the start, as a server cannot begin to later. */
function pinsCertificates(directory: DirectoryFollower): boolean {
  const { carriers } = directory.current().records;
  return carriers.some((one) => one.enabled && kindOf(one).asksForCertificate(profileOf(one)));
}
