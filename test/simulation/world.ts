/** The surroundings of the simulated nodes: database, carrier, records, the nodes with their supervisor, and a trace of it all. */
import { buildDirectory } from '../../packages/gateway/src/carriers/directory.ts';
import type { SmppCarrierRecord } from '../../packages/gateway/src/carriers/smpp/profile.ts';
import type { Logger } from '../../packages/gateway/src/kernel/logger.ts';
import type { Directory } from '../../packages/gateway/src/model/directory.ts';
import type { CarrierRecord } from '../../packages/gateway/src/model/records.ts';
import { emptyRegistration } from '../../packages/gateway/src/model/registration.ts';
import { acme, campaign, number, recordsWith, route } from '../../packages/gateway/src/model/world-fixture.ts';
import { StoreBroken } from '../../packages/gateway/src/store/faults.ts';
import { Chance } from './chance.ts';
import { ModelCarrier } from './model-carrier.ts';
import { ModelServer } from './model-server.ts';
import { SimulatedNode } from './node.ts';
import { Process } from './process.ts';
import { Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';
import { Watch } from './watch.ts';
import type { Network } from './wire.ts';

export const window = 6;
/** Of the plain number, of the one whose campaign has a limit by the minute, and of the one whose brand has one by the day. */
export const senders = { plain: '12025550199', byMinute: '12025550198', byDay: '12025550197' } as const;
export const limits = { perMinute: 10, perDay: 15 } as const;

export class World {
  readonly scheduler = new Scheduler();
  readonly chance: Chance;
  readonly trace: Trace;
  readonly server: ModelServer;
  readonly carrier: ModelCarrier;
  readonly watch: Watch;
  readonly directory: Directory;
  readonly carrierIds: string[];
  readonly nodes: SimulatedNode[] = [];
  /** Ends of nodes, for whatever reason. */
  nodesEnded = 0;
  readonly #seed: number;
  #starts = 0;
  /** Of the wall clocks of nodes, ms. */
  readonly #skewMs: number;

  constructor(seed: number, trace: Trace) {
    this.#seed = seed;
    this.trace = trace;
    this.chance = new Chance(seed, 'world');
    this.#skewMs = this.chance.happens(0.1) ? 20_000 : 2_000;
    this.server = new ModelServer(this.scheduler, Math.round(this.chance.between(-300_000, 300_000)));
    this.carrier = new ModelCarrier(this.scheduler, new Chance(seed, 'carrier'));
    this.carrierIds = Array.from({ length: this.chance.whole(2, 4) }, (_, place) => `smsc-${place}`);
    this.directory = directoryOf(this.carrierIds);
    this.watch = new Watch(this.server, (lane, node) => {
      this.say('database', `${lane} is node ${node}'s`);
      this.ownerChanged(lane, node);
    });
    this.server.watcher = this.watch;
    for (let place = this.chance.whole(2, 3); place > 0; place -= 1) this.#add(`n${place}`);
  }

  ownerChanged: (lane: string, node: number | null) => void = () => {};

  say(who: string, what: string): void {
    this.trace.say(this.scheduler.nowMs, who, what);
  }

  #add(name: string): void {
    const node = this.#made(name);
    this.nodes.push(node);
    this.#run(node, this.chance.between(0, 400));
  }

  #made(name: string): SimulatedNode {
    const own = new Chance(this.#seed, `${name} ${this.#starts++}`);
    const skewMs = Math.round(own.between(-this.#skewMs, this.#skewMs));
    const process = new Process(this.scheduler, { skewMs, drift: own.between(-1e-4, 1e-4) });
    const network = (latencyMs: Network['latencyMs'], stream: string): Network => ({
      scheduler: this.scheduler,
      chance: new Chance(this.#seed, `${name} ${this.#starts} ${stream}`),
      latencyMs,
      silentUntilMs: 0,
    });
    const networks = {
      database: network({ from: 0.1, to: 1.5 }, 'database'),
      carrier: network({ from: 0.5, to: 10 }, 'carrier'),
    };
    const { server, watch, directory } = this;
    const world = { server, watch, directory, peer: this.carrier.peer };
    return new SimulatedNode({ name, world, process, networks, chance: own, logger: this.#logger(name) });
  }

  #run(node: SimulatedNode, afterMs: number): void {
    node.process.onEnd(() => {
      this.nodesEnded += 1;
      this.say(node.name, `node ${node.store?.token ?? '(not open)'} has ended`);
      this.#startAnew(node.name);
    });
    this.scheduler.at(afterMs, () => {
      this.say(node.name, 'starts');
      node.start().then(
        () => this.say(node.name, `is node ${node.store?.token}`),
        (error: unknown) => {
          if (!(error instanceof StoreBroken)) this.watch.broken.push(`${node.name} does not start: ${String(error)}`);
          node.process.kill();
        },
      );
    });
  }

  /** As a supervisor does. */
  #startAnew(name: string): void {
    const node = this.#made(name);
    this.nodes[this.nodes.findIndex((one) => one.name === name)] = node;
    this.#run(node, this.chance.between(500, 8_000));
  }

  /** By the token of its start. */
  nodeOf(token: number | null): SimulatedNode | undefined {
    return this.nodes.find(({ store }) => store !== null && store.token === token);
  }

  #logger(name: string): Logger {
    const line = (level: string) => (fields: unknown, message?: string) =>
      this.say(name, `${level}: ${message ?? ''} ${JSON.stringify(fields, asText)}`);
    return { trace: () => {}, debug: () => {}, info: line('info'), warn: line('warn'), error: line('error') };
  }
}

const asText = (_: string, value: unknown): unknown => (value instanceof Error ? value.message : value);

function directoryOf(carrierIds: readonly string[]): Directory {
  const pacing = { segmentsPerMinute: null, mmsPerMinute: null, segmentsPerDay: null };
  return buildDirectory(
    recordsWith({
      accounts: [acme],
      numbers: [
        number(senders.plain),
        number(senders.byMinute, { campaignId: 'MINUTE' }),
        number(senders.byDay, { campaignId: 'DAY' }),
      ],
      campaigns: [
        campaign('C1'),
        campaign('MINUTE', { pacing: { ...pacing, segmentsPerMinute: limits.perMinute } }),
        campaign('DAY', {
          pacing: { ...pacing, segmentsPerDay: limits.perDay },
          registration: { ...emptyRegistration(), brandId: 'brd_1' },
        }),
      ],
      carriers: carrierIds.map(carrierOf),
      // Each recipient's prefix names its carrier, and the next one takes over where that is down.
      routes: carrierIds.map((id, place) =>
        route(`r${place}`, [id, carrierIds[(place + 1) % carrierIds.length]!], { prefix: `120255${place}` }),
      ),
    }),
  );
}

function carrierOf(carrierId: string): CarrierRecord {
  const record: SmppCarrierRecord = {
    carrierId,
    environment: 'live',
    name: carrierId,
    kind: 'smpp',
    enabled: true,
    smpp: {
      host: 'simulated',
      port: 2775,
      tls: false,
      tlsVerify: true,
      system_id: carrierId,
      password: 'secret',
      system_type: '',
      bindMode: 'transceiver',
      binds: 1,
      window,
      messagesPerSecond: 0,
      source_addr_ton: 1,
      source_addr_npi: 1,
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      idBase: 'auto',
      longMessage: 'udh8',
      defaultAlphabet: 'gsm',
      registered_delivery: false,
      responseTimeoutMs: 30_000,
      enquireLinkMs: 30_000,
      interface_version: 0x34,
    },
  };
  return record;
}
