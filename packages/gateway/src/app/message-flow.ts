/** Wires the message flow: accept, send queues, consent, media, sweeper. */
import type { RouteModule } from '../http/server.ts';
import { type Acceptor, createAcceptor } from '../messaging/accept/accept.ts';
import { createReferences } from '../messaging/accept/reference.ts';
import { type Consent, createConsent } from '../messaging/consent/consent.ts';
import { createWaiting } from '../messaging/send-queue/waiting.ts';
import { createMemory, type DirectoryFollower } from '../messaging/time/memory.ts';
import { createSweeper } from '../messaging/time/sweeper.ts';
import type { TrustedClock } from '../messaging/time/trusted-clock.ts';
import { defaultLimits } from '../model/limits.ts';
import { messageRoutes } from '../subjects/message-log/messages.ts';
import type { RequestLog } from '../subjects/request-log/request-log.ts';
import { createRetentionSweeper, type RetentionSweeper } from '../subjects/retention/retention.ts';
import { sendSmsRoute } from '../subjects/send/send-sms.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createDiskReserve } from './disk-reserve.ts';
import type { FileStores } from './file-stores.ts';
import type { Part } from './lifecycle.ts';
import { type Mms, openMms } from './mms.ts';
import { openSendQueues, type SendQueues, type SendQueuesPorts } from './send-queues.ts';
import type { Metrics } from './telemetry.ts';

export interface MessageFlow extends SendQueues {
  readonly acceptor: Acceptor;
  readonly consent: Consent;
  readonly retention: Pick<RetentionSweeper, 'nudge'>;
  readonly mms: Pick<Mms, 'fallback' | 'routes'>;
  /** The API's routes for sending and for reading sent messages. */
  readonly routes: readonly RouteModule[];
}

export interface MessageFlowPorts extends Omit<SendQueuesPorts, 'consent' | 'memory'> {
  directory: Pick<DirectoryFollower, 'current' | 'catchUp'>;
  config: Pick<
    Config,
    'dataDir' | 'databaseUrl' | 'diskReserveMb' | 'uncertainWaitMs' | 'waitingSecondsMax' | 'inboundMms'
  >;
  files: Pick<FileStores, 'freeBytes'>;
  trustedClock: Pick<TrustedClock, 'doubt'>;
  requestLog: Pick<RequestLog, 'flush'>;
  metrics: Pick<Metrics, 'carriers' | 'cells' | 'refused' | 'timeMedia'> | null;
}

/** Starts only what accepting needs: the list of opt-outs. */
export async function openMessageFlow(context: Context, ports: MessageFlowPorts): Promise<MessageFlow> {
  const { config, store, metrics } = ports;
  const { uncertainWaitMs } = config;
  const common = { ...context, store, limits: defaultLimits, directory: ports.directory.current };
  const { doubt } = ports.trustedClock;
  const nextReference = createReferences(context.random);
  // A function, because the send queues are created later and need this value.
  const carrierUp = (carrierId: string): boolean => lanes.up(carrierId);
  const consent = createConsent({ ...common, nextReference, carrierUp });
  await consent.load();
  const memory = createMemory({ ...context, store, consent, directory: ports.directory });
  const queues = openSendQueues(context, { ...ports, consent, memory });
  const { lanes, backlog } = queues;
  const retention = createRetentionSweeper({ ...common, doubt, flushRequests: ports.requestLog.flush });
  const sweeper = createSweeper({ ...common, lanes, uncertainWaitMs, doubt });
  const mms = openMms(context, { ...ports, consent, lanes, nextReference });
  const acceptor = createAcceptor({
    ...common,
    lanes,
    backlog,
    consent,
    memory,
    nextReference,
    mediaWork: mms.work,
    // PostgreSQL has a disk of its own, which the gateway does not see.
    hasSpace:
      config.databaseUrl === null
        ? createDiskReserve({ ...context, folder: config.dataDir, reserveMb: config.diskReserveMb })
        : undefined,
    hasMediaCapacity: mms.hasCapacity,
    ...(metrics !== null && { refused: metrics.refused }),
  });
  const sweeps: Part[] = [
    { name: 'sweeper', duty: 'sweeper', start: sweeper.start, stop: sweeper.stop },
    { name: 'retention', duty: 'retention', start: retention.start, stop: retention.stop },
  ];
  /** Settles as uncertain the messages that an earlier run, or the node that acted before, was handing to carriers. */
  async function recover(): Promise<void> {
    const count = await sweeper.recover();
    if (count > 0) context.logger.warn({ count }, 'uncertain since the last stop: waiting for receipts');
  }
  const routes = [sendSmsRoute(acceptor), messageRoutes({ store, waiting: createWaiting({ ...common, lanes }) })];
  const follower: Part = { name: 'memory', start: memory.start, stop: memory.stop };
  const recovery: Part = { name: 'recovery', onlyActing: true, start: recover };
  const parts = [recovery, ...queues.parts, ...mms.parts, ...sweeps, follower];
  return { ...queues, routes, acceptor, consent, retention, mms, parts };
}
