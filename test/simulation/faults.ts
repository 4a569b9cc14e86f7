/** What goes wrong in a run, when, and how badly: all of it drawn from the seed. */
import type { Chance } from './chance.ts';
import { goodBehaviour } from './model-carrier.ts';
import type { SimulatedNode } from './node.ts';
import { type World, window } from './world.ts';

/** Something was disturbed between these times, so that a take-over may take longer. */
export interface Disturbance {
  fromMs: number;
  toMs: number;
}

/** A node stopped working, with these send queues. */
export interface Loss extends Disturbance {
  node: number;
  lanes: string[];
  /** Of each, when another node had it. */
  takenMs: Map<string, number>;
  /** When it worked again; infinite = never. */
  backMs: number;
}

/** After a fault, until nothing of it is left: reconnections, and leases that run out. */
const aftermathMs = 12_000;

export class Faults {
  readonly disturbances: Disturbance[] = [];
  readonly losses: Loss[] = [];
  readonly #world: World;
  readonly #chance: Chance;

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
    const { ownerChanged } = world;
    world.ownerChanged = (lane, node) => {
      ownerChanged(lane, node);
      if (node !== null) this.#taken(lane, node);
    };
  }

  /** Up to four, between these times. */
  plan(fromMs: number, toMs: number): void {
    const kinds = Object.values(this.#kinds);
    for (let count = this.#chance.whole(1, 4); count > 0; count -= 1) {
      const inject = this.#chance.one(kinds);
      this.#world.scheduler.at(this.#chance.between(fromMs, toMs), inject);
    }
  }

  readonly #kinds = {
    kill: () => this.#ended(false),
    hostLost: () => this.#ended(true),
    pause: () => this.#paused(),
    pauseLong: () => this.#paused(this.#chance.between(12_000, 20_000)),
    stop: () => this.#stopped(),
    databaseCrash: () => this.#databaseAway('crash', this.#chance.between(100, 14_000)),
    databaseFreeze: () => this.#databaseAway('freeze', this.#chance.between(100, 14_000)),
    databaseSlow: () => this.#slow(),
    silence: () => this.#silence(),
    resets: () => this.#resets(),
    carrierBreaks: () => this.#carrier({ breaks: this.#chance.between(0.02, 0.15) }),
    carrierThrottles: () => this.#carrier({ throttles: this.#chance.between(0.05, 0.5) }),
    carrierSlow: () => this.#carrier({ answerMs: { from: 100, to: this.#chance.between(500, 6_000) } }),
    carrierAway: () => this.#carrierAway(),
  };

  #any(): SimulatedNode | undefined {
    const running = this.#world.nodes.filter(
      ({ process, isStopping, acceptor }) => process.runs && !isStopping && acceptor !== null,
    );
    return running.length === 0 ? undefined : this.#chance.one(running);
  }

  #disturb(lastsMs: number): Disturbance {
    const fromMs = this.#world.scheduler.nowMs;
    const disturbance = { fromMs, toMs: fromMs + lastsMs + aftermathMs };
    this.disturbances.push(disturbance);
    return disturbance;
  }

  #lost(node: SimulatedNode, lastsMs: number): Loss {
    const token = node.store!.token;
    const lanes = [...this.#world.watch.owners].flatMap(([lane, owner]) => (owner === token ? [lane] : []));
    const disturbance = this.#disturb(Math.min(lastsMs, 10_000));
    const loss = Object.assign(disturbance, {
      node: token,
      lanes,
      takenMs: new Map(),
      backMs: disturbance.fromMs + lastsMs,
    });
    this.losses.push(loss);
    return loss;
  }

  #taken(lane: string, by: number): void {
    for (const loss of this.losses) {
      if (loss.node !== by && loss.lanes.includes(lane) && !loss.takenMs.has(lane))
        loss.takenMs.set(lane, this.#world.scheduler.nowMs);
    }
  }

  #ended(isHostLost: boolean): void {
    const node = this.#any();
    if (node === undefined) return;
    this.#say(node, isHostLost ? 'its machine is gone' : 'killed');
    this.#lost(node, Number.POSITIVE_INFINITY);
    for (const client of node.clients) client.isHostLost = isHostLost;
    node.process.kill();
  }

  #paused(forMs = this.#chance.between(200, 12_000)): void {
    const node = this.#any();
    if (node === undefined) return;
    this.#say(node, `stands still for ${Math.round(forMs)} ms`);
    this.#lost(node, forMs);
    node.process.pause();
    this.#world.scheduler.at(forMs, () => {
      this.#say(node, 'goes on');
      node.process.goOn();
    });
  }

  #stopped(): void {
    const node = this.#any();
    if (node === undefined) return;
    this.#say(node, 'gets the signal to stop');
    this.#disturb(5_000);
    void node.stop().catch((error: unknown) => {
      if (!node.process.isDead) this.#world.watch.broken.push(`${node.name} does not stop: ${String(error)}`);
    });
  }

  #databaseAway(how: 'crash' | 'freeze', forMs: number): void {
    const { server, scheduler } = this.#world;
    if (server.isDown || server.process.isPaused) return;
    this.#world.say('database', `${how} for ${Math.round(forMs)} ms`);
    this.#disturb(forMs);
    if (how === 'crash') server.crash();
    else server.process.pause();
    scheduler.at(forMs, () => {
      this.#world.say('database', 'is back');
      if (how === 'crash') server.isDown = false;
      else server.process.goOn();
    });
  }

  #slow(): void {
    const latencyMs = { from: 1, to: this.#chance.between(20, 400) };
    const forMs = this.#chance.between(1_000, 8_000);
    this.#world.say('database', `is slow for ${Math.round(forMs)} ms: up to ${Math.round(latencyMs.to)} ms a message`);
    this.#disturb(forMs);
    for (const { networks } of this.#world.nodes) {
      const before = networks.database.latencyMs;
      networks.database.latencyMs = latencyMs;
      this.#world.scheduler.at(forMs, () => {
        networks.database.latencyMs = before;
      });
    }
  }

  /** Nothing gets through between a node and the database, and neither of them notices. */
  #silence(): void {
    const node = this.#any();
    if (node === undefined) return;
    const forMs = this.#chance.between(500, 16_000);
    this.#say(node, `hears nothing of the database for ${Math.round(forMs)} ms`);
    this.#lost(node, forMs);
    node.networks.database.silentUntilMs = this.#world.scheduler.nowMs + forMs;
    for (const client of node.clients) client.silent(forMs);
  }

  /** Sessions of the database are cut, one after the other: some of them in a commit. */
  #resets(): void {
    const { scheduler } = this.#world;
    const count = this.#chance.whole(3, 30);
    this.#world.say('network', `${count} sessions of the database are cut`);
    this.#disturb(count * 150);
    for (let turn = 0; turn < count; turn += 1) {
      scheduler.at(turn * 150 + this.#chance.between(0, 150), () => {
        const node = this.#any();
        if (node === undefined || node.clients.size === 0) return;
        const writers = [...node.clients].filter(({ name }) => name === 'heliograph node');
        const client = this.#chance.one(writers.length > 0 ? writers : [...node.clients]);
        if (this.#chance.happens(0.3)) client.reset();
        else client.cutInCommit(this.#chance.one(['before', 'after', 'after']));
      });
    }
  }

  #carrier(behaviour: Partial<World['carrier']['behaviour']>): void {
    const { carrier, scheduler } = this.#world;
    const forMs = this.#chance.between(1_000, 8_000);
    this.#world.say('carrier', `${JSON.stringify(behaviour)} for ${Math.round(forMs)} ms`);
    this.#disturb(forMs);
    Object.assign(carrier.behaviour, behaviour);
    scheduler.at(forMs, () => Object.assign(carrier.behaviour, goodBehaviour));
  }

  #carrierAway(): void {
    const { carrier, scheduler, nodes } = this.#world;
    const forMs = this.#chance.between(500, 9_000);
    this.#world.say('carrier', `is away for ${Math.round(forMs)} ms`);
    this.#disturb(forMs);
    carrier.isAway = true;
    for (const { sockets } of nodes) for (const socket of [...sockets]) socket.reset();
    scheduler.at(forMs, () => {
      carrier.isAway = false;
    });
  }

  #say(node: SimulatedNode, what: string): void {
    this.#world.say(node.name, `node ${node.store?.token}: ${what}`);
  }

  /** How long others took to have the send queues of nodes that were lost while nothing else was wrong. */
  takeOverMs(endMs: number): number[] {
    return this.losses.flatMap((loss) => {
      const { fromMs, lanes, takenMs, backMs } = loss;
      const others = this.disturbances.filter((one) => one !== loss);
      return lanes.flatMap((lane) => {
        const toMs = takenMs.get(lane) ?? endMs;
        // It went on before anybody had to take over.
        if (backMs < Math.min(toMs, fromMs + aftermathMs)) return [];
        const isQuiet = others.every((one) => one.toMs < fromMs || one.fromMs > toMs);
        return isQuiet ? [toMs - fromMs] : [];
      });
    });
  }

  /** So many messages may have been with carriers, or on their way, when something ended. */
  get inDoubtMax(): number {
    const { carrier, nodesEnded, carrierIds } = this.#world;
    return window * (carrier.sessionsEnded + nodesEnded * carrierIds.length);
  }
}
