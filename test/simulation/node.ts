/**
 * A gateway of the simulation: the product's own parts between the door and the wire, wired as `app` wires them. Everything
 * that comes from outside (clock, timers, chance, database, network) is the simulation's.
 */
import { catalogue } from '../../packages/gateway/src/app/modules.ts';
import type { Store } from '../../packages/gateway/src/app/store.ts';
import { createSmppCarrier } from '../../packages/gateway/src/carriers/smpp/carrier.ts';
import type { SmppCarrierRecord } from '../../packages/gateway/src/carriers/smpp/profile.ts';
import { createIds } from '../../packages/gateway/src/kernel/ids.ts';
import type { Logger } from '../../packages/gateway/src/kernel/logger.ts';
import { type Acceptor, createAcceptor } from '../../packages/gateway/src/messaging/accept/accept.ts';
import { createReferences } from '../../packages/gateway/src/messaging/accept/reference.ts';
import { createPace } from '../../packages/gateway/src/messaging/pace/pace.ts';
import { createLanes, type Lanes } from '../../packages/gateway/src/messaging/send-queue/lanes.ts';
import { createSettler } from '../../packages/gateway/src/messaging/send-queue/settle.ts';
import { messagesHandedOut } from '../../packages/gateway/src/messaging/store/journaled/handed-out.ts';
import { createSweeper } from '../../packages/gateway/src/messaging/time/sweeper.ts';
import type { Directory } from '../../packages/gateway/src/model/directory.ts';
import { defaultLimits, stopDrainMs } from '../../packages/gateway/src/model/limits.ts';
import { createStore, failStop } from '../../packages/gateway/src/store/create-store.ts';
import { StoreUnavailable } from '../../packages/gateway/src/store/faults.ts';
import { openPostgres } from '../../packages/gateway/src/store/postgres.ts';
import { pause } from '../../packages/gateway/src/store/postgres-machine.ts';
import { commandIds } from '../props/pdu-bytes.ts';
import { type Chance, randomOf } from './chance.ts';
import { modelMachine, type OpenClients } from './model-client.ts';
import type { ModelServer } from './model-server.ts';
import { ModelSocket, type Peer } from './model-socket.ts';
import type { Process } from './process.ts';
import type { Watch } from './watch.ts';
import type { Network } from './wire.ts';

const uncertainWaitMs = 1_000;
const startAgainMs = 1_000;

export interface NodeWorld {
  server: ModelServer;
  peer: Peer;
  watch: Watch;
  directory: Directory;
}

export interface NodeParts {
  name: string;
  world: NodeWorld;
  process: Process;
  chance: Chance;
  /** To the database and to carriers. */
  networks: { database: Network; carrier: Network };
  logger: Logger;
}

export class SimulatedNode {
  readonly name: string;
  readonly process: Process;
  readonly clients: OpenClients = new Set();
  readonly sockets = new Set<ModelSocket>();
  readonly networks: NodeParts['networks'];
  readonly #parts: NodeParts;
  store: Store | null = null;
  acceptor: Acceptor | null = null;
  #lanes: Lanes | null = null;
  #stops: (() => Promise<unknown>)[] = [];
  isStopping = false;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.process = parts.process;
    this.networks = parts.networks;
  }

  get takesRequests(): boolean {
    return this.process.runs && !this.isStopping && this.acceptor !== null;
  }

  /** Ends the process where the gateway would; one that cannot start yet is started again, as by a supervisor. */
  async start(): Promise<void> {
    const { timers } = this.process;
    for (;;) {
      try {
        await this.#open();
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await pause(timers, startAgainMs);
      }
    }
  }

  async #open(): Promise<void> {
    const { world, networks, chance, logger } = this.#parts;
    const { process } = this;
    const { clock, timers } = process;
    const random = randomOf(chance);
    const reach = { process, network: networks.database, server: world.server };
    const engine = await openPostgres({
      catalogue,
      handOut: messagesHandedOut,
      databaseUrl: 'postgres://simulated/simulated',
      role: 'node',
      cluster: true,
      clock,
      logger,
      machine: modelMachine(reach, this.clients),
    });
    const broken = (error: unknown): void => {
      if (process.isDead) return;
      logger.warn({ error: String(error) }, 'the gateway ends');
      process.kill();
    };
    const store = createStore<Store>(failStop(engine, broken), catalogue, 'node', {
      ...timers,
      monotonicMs: clock.monotonicMs,
    });
    const directory = () => world.directory;
    const ids = createIds(clock, random);
    const common = { clock, random, ids, logger, broken, store, directory, limits: defaultLimits };
    const settler = createSettler({
      ...common,
      uncertainWaitMs,
      isSandbox: () => false,
      nextLane: (claim) => lanes.nextLane(claim),
    });
    const pace = createPace({ ...common, shared: store, warn: () => {} });
    // Nobody changes records or opt-outs in this world.
    const memory = { isBehind: () => false, catchUp: async () => {} };
    const consent = { isOptedOut: () => false, version: () => 0 };
    const lanes = createLanes({
      ...common,
      settler,
      pace,
      memory,
      consent,
      receiver: { receipts: async () => {}, inbound: async () => {}, inboundMms: async () => {} },
      media: { fit: () => Promise.reject(new Error('no media here')), read: async () => null },
      loadKinds: async () => {},
      openCarrier: (record) =>
        createSmppCarrier(record as SmppCarrierRecord, {
          clock,
          random,
          logger,
          mayHandOver: store.mayHandOver,
          connect: () => this.#connect(store.token),
        }),
      // Of all duties, this world has work for the sweeper alone.
      duties: {
        begin: (duty) => duty === 'sweeper' && sweeper.start(),
        end: async (duty) => (duty === 'sweeper' ? sweeper.stop() : undefined),
      },
      arrivesAnywhere: () => false,
      nodeName: this.name,
      uncertainWaitMs,
      linked: () => {},
      linkSeen: () => {},
    });
    const sweeper = createSweeper({ ...common, lanes, uncertainWaitMs });
    const acceptor = createAcceptor({
      ...common,
      lanes,
      memory,
      consent,
      backlog: { tooLong: () => null, tooLongEverywhere: () => null },
      nextReference: createReferences(random),
      mediaWork: { nudge: () => {} },
    });
    this.store = store;
    this.#lanes = lanes;
    const { place } = store;
    const actsNow = place.acts();
    const retried = (work: () => Promise<unknown>) => this.#untilAvailable(work);
    if (actsNow) await retried(() => sweeper.recover());
    pace.follow();
    await retried(() => lanes.start());
    if (!actsNow)
      void place.acting.then(async () => {
        if (this.isStopping) return;
        await retried(() => sweeper.recover());
        await retried(() => lanes.takeOver());
      });
    this.#stops = [() => sweeper.stop(), () => lanes.stop(stopDrainMs), () => pace.stop(), () => store.close()];
    this.acceptor = acceptor;
  }

  async #untilAvailable(work: () => Promise<unknown>): Promise<void> {
    while (!this.isStopping) {
      try {
        await work();
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await pause(this.process.timers, startAgainMs);
      }
    }
  }

  #connect(token: number) {
    const { world, networks } = this.#parts;
    const wrote = (bytes: Buffer): void => {
      const count = submitsIn(bytes);
      if (count > 0) world.watch.sent(token, count);
    };
    const socket = new ModelSocket(this.process, networks.carrier, world.peer, wrote);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket.asSocket();
  }

  /** As a SIGTERM does: what is under way is finished first. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const stop of this.#stops) await stop();
    this.process.kill();
  }

  /** The send queues that it has, as it believes. */
  lanes(): string[] {
    return this.#lanes === null
      ? []
      : this.#parts.world.directory.records.carriers.map(({ carrierId }) => carrierId).filter(this.#lanes.isHere);
  }
}

/** Whole PDUs: the product never writes a part of one. */
function submitsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    if (bytes.readUInt32BE(at + 4) === commandIds.submit_sm) count += 1;
  }
  return count;
}
