/** Wires the gateway: store, parts, routes. Each part joins the lifecycle once it is open. */
import { machineClock, machineTimers } from '../kernel/machine.ts';
import { version } from '../kernel/version.ts';
import { watchedBy } from '../store/create-store.ts';
import { createHistoryCounter } from '../subjects/carrier-history/history-counter.ts';
import type { ApplyReport } from '../subjects/records/apply.ts';
import type { FirstSteps } from '../subjects/records/seed.ts';
import { createRequestLog } from '../subjects/request-log/request-log.ts';
import { openAlerts } from './alerts.ts';
import { openCarrierHistory } from './carrier-history.ts';
import { openCells, readCellKey } from './cells.ts';
import { openCertificate } from './certificate.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createEgressPolicy } from './egress-policy.ts';
import { openFileStores } from './file-stores.ts';
import { firstAdministrator } from './first-administrator.ts';
import { openFoundation } from './foundation.ts';
import { openHttpServer } from './http-server.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { openMessageFlow } from './message-flow.ts';
import { openMediaStorage } from './mms.ts';
import { createOwnAddress } from './own-address.ts';
import { openPortal } from './portal.ts';
import { openRegistration } from './registration.ts';
import { startSimulator } from './simulator.ts';
import { whileBusy } from './start-patience.ts';
import { openMetrics, openTraces } from './telemetry.ts';
import { openUsage } from './usage.ts';
import { openWebhooks } from './webhooks.ts';

export interface Gateway {
  readonly port: number;
  /** The URL for a browser on this machine; without a trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
  /** Null when the sandbox is off. */
  readonly firstSteps: FirstSteps | null;
  /** What the configured records file changed; null without one. */
  readonly applied: ApplyReport | null;
  /** One-time key for the first administrator; null when there is one. */
  readonly setupKey: string | null;
  /** The current state of each bind to the simulated SMS carrier; empty when the sandbox is off. */
  sandboxBinds(): string[];
  /** The number of enabled carriers that reach real telephones. */
  readonly liveCarriers: number;
  /** Stops accepting, drains, settles, closes. Resolves when nothing is left running. */
  stop(): Promise<void>;
}

export interface GatewayParts extends Pick<Context, 'logger' | 'broken'> {
  config: Config;
}

/**
 * Starts a whole gateway, all of it again for a while where PostgreSQL is busy. Rejects with StoreRefused, a records problem or
 * the system's error when it cannot.
 */
export async function startGateway(given: GatewayParts): Promise<Gateway> {
  const { config, logger } = given;
  // A file on this machine is never kept busy by another gateway.
  if (config.databaseUrl === null) return startOnce(given);
  return whileBusy({ clock: machineClock, timers: machineTimers, logger }, () => startOnce(given));
}

async function startOnce(given: GatewayParts): Promise<Gateway> {
  const lifecycle = createLifecycle(given.logger, given.broken);
  try {
    return await start(await open(given, lifecycle), lifecycle);
  } catch (error) {
    // Failures of the stop are logged; the caller needs the reason why the start failed.
    await lifecycle.stop().catch(() => {});
    throw error;
  }
}

type Opened = Awaited<ReturnType<typeof open>>;

async function open({ config, logger, broken }: GatewayParts, lifecycle: Lifecycle) {
  const { own } = lifecycle;
  const metrics = own(openMetrics(config, { logger }));
  const counter = createHistoryCounter();
  const commits = metrics === null ? counter : watchedBy(metrics.commits, counter);
  // Checked before the store is opened, so that wrong settings are refused at once.
  const cellKey = readCellKey(config);
  const foundation = await openFoundation({ logger, broken }, { config, lifecycle, commits });
  const { context, store, givenUp, sealer, directory, trustedClock, mediaUrlKey, doctorToken } = foundation;
  const address = createOwnAddress(config);
  const files = own(await openFileStores(context, { config, givenUp }));
  const cells = own(await openCells(context, { config, key: cellKey, metrics, store, directory }));
  const base = { config, address, store, givenUp, sealer, directory, trustedClock, files, metrics, cells };
  const egress = own(createEgressPolicy(context, base));
  const mediaStorage = own(openMediaStorage(context, { ...base, egress, mediaUrlKey }));
  const registration = own(openRegistration(context, { ...base, egress }));
  const certificate = own(config.tls === null ? null : openCertificate(context, config.tls));
  const requestLog = createRequestLog({ ...context, store });
  lifecycle.add({ name: 'request log', stop: requestLog.stop });
  const flow = own(
    await openMessageFlow(context, {
      ...base,
      mediaStorage,
      certificate,
      requestLog,
      counter,
      duties: lifecycle.duties,
    }),
  );
  const { lanes, consent, mms } = flow;
  metrics?.read({ store, lanes, pace: flow.pace, directory: directory.current, cells });
  const simulator = own(await startSimulator(context, { ...base, lanes, mediaStorage, egress }));
  const webhooks = own(openWebhooks(context, { ...base, consent, egress, mmsFallback: mms.fallback }));
  // Webhooks first: the send queues may take a while to close queues that the records no longer name.
  directory.onChanged(webhooks.recordsChanged);
  directory.onChanged(lanes.follow);
  requestLog.onKept(webhooks.live.requestsKept);
  const usage = own(openUsage(context, base));
  own(openTraces(context, base));
  const alerts = own(openAlerts(context, { ...base, lanes, certificate, budgetOf: usage.budgetOf }));
  const history = own(openCarrierHistory(context, { ...base, lanes, counter }));
  const apiModules = [...flow.routes, ...webhooks.routes, ...mms.routes, ...usage.routes, ...(simulator?.routes ?? [])];
  const parts = {
    ...base,
    flow,
    webhooks,
    simulator,
    usage,
    mediaStorage,
    registration,
    certificate,
    alerts,
    history,
    apiModules,
  };
  const portal = openPortal(context, { ...parts, egress });
  const server = own(await openHttpServer(context, { ...parts, egress, requestLog, portal, doctorToken }));
  return { ...foundation, config, address, flow, simulator, people: portal.people, server };
}

async function start(opened: Opened, lifecycle: Lifecycle): Promise<Gateway> {
  const { config, context, store, directory, address, simulator, people, server, applied } = opened;
  const port = await server.listen();
  const firstSteps = simulator === null ? null : await simulator.seed();
  await directory.refresh();
  await lifecycle.start(store.place);
  context.logger.info({ version, port, engine: store.engine, sandbox: config.sandbox }, 'started');
  const { carriers } = directory.current().records;
  const liveCarriers = carriers.filter((carrier) => carrier.environment === 'live' && carrier.enabled).length;
  const sandboxBinds = simulator?.binds ?? (() => []);
  const setupKey = await firstAdministrator(people.setUp, config);
  server.startUpDone();
  const baseUrl = address.baseUrl();
  return { port, baseUrl, version, firstSteps, applied, setupKey, sandboxBinds, liveCarriers, stop: lifecycle.stop };
}
