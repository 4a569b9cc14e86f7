/**
 * The loop of all crash suites: a gateway under load is ended in some way and started again, several times; at the end
 * it runs undisturbed until the carrier is quiet, and the checker judges. Client and carrier live outside the gateway.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { TestOptions } from 'vitest';
import type { Store } from '../../packages/gateway/src/app/store.ts';
import { judge, type Verdict } from '../../packages/gateway/src/cli/prove/judge.ts';
import { settledLog } from '../props/checker.ts';
import type { Client } from '../props/client.ts';
import { type Exit, type Gateway, type GatewayOptions, spawnGateway, startGateway } from '../props/gateway.ts';
import { type LoggedMessage, readMessageLog } from '../props/message-log.ts';
import { openScene, type Scene, type SceneOptions } from '../props/scene.ts';

/** `HELIO_LONG=full` asks for the counts the fault matrix names. */
export const isFull = process.env.HELIO_LONG === 'full';

/** The short forms run several gateways at a time, with generous time-outs for a busy machine. */
export const shortForm: TestOptions = { concurrent: true, timeout: 300_000 };

/** What `end` gets to end a round with. */
export interface Round {
  /** From 0. */
  index: number;
  gateway: Gateway;
  scene: Scene;
}

export interface RoundsOptions extends SceneOptions {
  rounds: number;
  /** Called on a gateway before anything is sent; that gateway is stopped afterwards. */
  prepare?: (gateway: Gateway) => Promise<void>;
  /** How the gateway of one round is started, beyond the options of the scene. */
  start?: (index: number) => Partial<GatewayOptions>;
  /** True when a round begins as soon as the gateway is spawned; else it begins once the gateway is ready. */
  fromSpawn?: boolean;
  /** Ends the round; must leave the gateway ended. */
  end: (round: Round) => Promise<unknown>;
  /** How long `end` may take, with time to spare; a longer round fails. ms */
  limitMs?: number;
  /** Called before each round: true when no further one is needed. */
  isEnough?: () => boolean;
  /** Runs after each round, with the gateway gone. */
  between?: () => Promise<void>;
  requestsPerSecond?: number;
  /** The client sends again under an Idempotency-Key until it is answered. */
  retry?: boolean;
  /** Called at the end, with the last gateway running and every message settled. */
  atEnd?: (gateway: Gateway, scene: Scene) => Promise<void>;
  /** Called after `atEnd`, with the gateway stopped and its data still there. */
  afterStop?: (scene: Scene) => Promise<void>;
}

export interface RoundsResult {
  verdict: Verdict;
  /** Everything on record at the end. */
  messages: LoggedMessage[];
  /** The most unanswered submit_sm on one session, as the carrier saw it. */
  unansweredMax: number;
  client: ReturnType<Client['counts']>;
  /** One for each round. */
  exits: Exit[];
}

const roundLimitMs = 90_000;

export async function runRounds(options: RoundsOptions): Promise<RoundsResult> {
  const scene = await openScene(options);
  try {
    if (options.prepare !== undefined) await prepared(scene, options.prepare);
    return await playAll(options, scene);
  } finally {
    await scene.close();
  }
}

async function playAll(options: RoundsOptions, scene: Scene): Promise<RoundsResult> {
  const client = scene.startClient({
    requestsPerSecond: options.requestsPerSecond ?? 1_500,
    retry: options.retry ?? false,
  });
  try {
    const exits: Exit[] = [];
    for (let index = 0; index < options.rounds && options.isEnough?.() !== true; index++) {
      exits.push(await playRound(options, scene, index));
    }
    const finished = await finish(scene, client, options.atEnd);
    await options.afterStop?.(scene);
    return { ...finished, exits };
  } finally {
    await client.stop(0);
  }
}

async function prepared(scene: Scene, prepare: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await startGateway(scene.gatewayOptions);
  try {
    await prepare(gateway);
  } finally {
    await gateway.stop();
  }
}

async function playRound(options: RoundsOptions, scene: Scene, index: number): Promise<Exit> {
  const start = options.start?.(index);
  const given = { ...scene.gatewayOptions, ...start, env: { ...scene.gatewayOptions.env, ...start?.env } };
  const gateway = await (options.fromSpawn === true ? spawnGateway(given) : startGateway(given));
  const ended = options.end({ index, gateway, scene }).then(() => gateway.exited);
  const exit = await Promise.race([ended, wait(options.limitMs ?? roundLimitMs, null, { ref: false })]);
  if (exit === null) {
    await gateway.kill();
    throw new Error(`the gateway of round ${index} did not end: ${gateway.stderr().slice(-2_000)}`);
  }
  await options.between?.();
  return exit;
}

/** Starts once more, undisturbed, until nothing moves; then gives the verdict. */
export async function finish(
  scene: Scene,
  client: Client,
  atEnd: NonNullable<RoundsOptions['atEnd']> = async () => {},
): Promise<Omit<RoundsResult, 'exits'>> {
  const { smsc } = scene;
  Object.assign(smsc.behaviour, { mute: false, refuseBinds: false, responseDelayMs: 0 });
  const gateway = await startGateway(scene.gatewayOptions);
  try {
    await client.stop(5_000);
    const messages = await settledLog(readMessageLog(gateway.port), scene.acceptedCount);
    await atEnd(gateway, scene);
    return {
      verdict: judge({ acknowledged: client.acknowledged, copies: scene.copies(), messages }),
      messages,
      unansweredMax: smsc.counts().unansweredMax,
      client: client.counts(),
    };
  } finally {
    await gateway.stop();
  }
}

/** How often messages became uncertain, over all messages and rounds. */
export function uncertainMoves(messages: readonly LoggedMessage[]): number {
  return messages.reduce((sum, { events }) => sum + events.filter((event) => event.state === 'uncertain').length, 0);
}

/** Ends a round with kill -9 at a random moment of the load. */
export async function killAtRandom(round: Round): Promise<void> {
  await someLoad(round);
  await round.gateway.kill();
}

/** Ends a round with kill -9 after a start has done its first checks, which flush the journal into the database. */
export async function killLate(round: Round): Promise<void> {
  await someLoad(round);
  await wait(2_000);
  await round.gateway.kill();
}

/** Resolves 150 to 500 ms after the first message of this round reached the carrier. */
export async function someLoad({ scene }: Round): Promise<void> {
  await untilMore(scene.acceptedCount, roundLimitMs / 2);
  await wait(150 + Math.random() * 350);
}

/** Resolves once there are more than now, or after `withinMs`. */
export async function untilMore(count: () => number, withinMs: number): Promise<void> {
  const before = count();
  const end = performance.now() + withinMs;
  while (count() === before && performance.now() < end) await wait(5);
}

/** Prints the figures of a long run into its log. */
export function report(name: string, figures: object): void {
  console.log(name, JSON.stringify(figures));
}

/** The files of `props/plants` that a test can name. */
export type Plant =
  | 'answer-early'
  | 'behind-only'
  | 'send-early'
  | 'failpoint'
  | 'mark-early'
  | 'record-early'
  | 'media-unsynced'
  | 'job-early'
  | 'journal-late'
  | 'journal-stop'
  | 'journal-unsynced'
  | 'sending-late'
  | 'lease-blind'
  | 'lane-greedy'
  | 'lane-blind'
  | 'duty-greedy'
  | 'duty-blind'
  | 'schema-beside'
  | 'schema-apart';

/** Arguments that let node import a file of `props/plants` first. */
export function planted(name: Plant): string[] {
  return ['--import', new URL(`../props/plants/${name}.ts`, import.meta.url).href];
}

const passMax = 25;

/** Kills the gateway at a random pass of `METHOD:before` or `METHOD:after`, a method of the store. */
export function failpoint(place: `${keyof Store}:${'before' | 'after'}`): Partial<GatewayOptions> {
  const pass = 1 + Math.floor(Math.random() * passMax);
  return { nodeArguments: planted('failpoint'), env: { FAILPOINT: `${place}:${pass}` } };
}
