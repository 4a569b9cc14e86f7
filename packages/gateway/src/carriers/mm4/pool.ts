/**
 * The connections of one MM4 carrier: opens up to the configured number, lends each for one mail, closes idle ones,
 * reconnects lost ones.
 */
import type { Clock, Random } from '../../kernel/clock.ts';
import { createFifo } from '../../kernel/passing.ts';
import { endingFirst, type PeerCertificate } from '../../model/peer-certificate.ts';
import type { CarrierStatus } from '../carrier.ts';
import { type LastDetail, lastDetail } from '../next-try.ts';
import { type MailOutcome, type Mm4Connection, type OutgoingMail, openMm4Connection } from './connection.ts';
import type { Mm4Profile } from './profile.ts';

/** A connection unused for this long is closed with QUIT; most servers would close it a little later. */
const idleMs = 30_000;
const reconnectMsMin = 500;
const reconnectMsMax = 60_000;

/** `reachable_idle`: closed on purpose, and the next mail opens it. `lost`: reopened after a wait. */
type PooledState = 'new' | 'connecting' | 'reachable' | 'reachable_idle' | 'lost' | 'stopped';

interface PooledConnection extends LastDetail {
  state: PooledState;
  connection: Mm4Connection | null;
  busy: boolean;
  /** Failed attempts since the last successful connection. */
  failures: number;
  cancelTimer: () => void;
  /** Called when the connection is open or has failed. */
  waiting: ((isOpen: boolean) => void) | null;
  /** The certificate of its last connection. */
  certificate: PeerCertificate | null;
  /** The certificate of the last connection refused because of it, until one succeeds. */
  refused: PeerCertificate | null;
}

/** A connection reserved for one mail. Either method returns it. */
export interface Lease {
  send(mail: OutgoingMail): Promise<MailOutcome>;
  release(): void;
}

export interface Mm4Pool {
  /** `atRest`: connects only when there is something to send. */
  start(atRest: boolean): void;
  /** True while a connection is open or idle. */
  up(): boolean;
  /** True when a connection failed or was lost, and is not open again. */
  failed(): boolean;
  /** Why it is down, for people. */
  detail(): string;
  /** Waits while every connection is busy, in order of arrival; null when none is left to wait for. */
  take(): Promise<Lease | null>;
  status(): Pick<CarrierStatus, 'binds' | 'certificate' | 'refusedCertificate'>;
  /** Closes idle connections with QUIT and the others at once. */
  stop(): Promise<void>;
}

export function createMm4Pool(
  profile: Mm4Profile,
  { clock, random }: { clock: Clock; random: Random },
  /** Called when a connection was opened, lost or returned. */
  changed: () => void,
): Mm4Pool {
  const members: PooledConnection[] = Array.from({ length: profile.connections }, () => ({
    state: 'new',
    connection: null,
    busy: false,
    failures: 0,
    detail: null,
    nextTryMs: null,
    cancelTimer: () => {},
    waiting: null,
    certificate: null,
    refused: null,
  }));
  const takers = createFifo<(lease: Lease | null) => void>();
  let whenClosed: (() => void) | null = null;

  /** Serves waiting callers, and returns null to them when no connection is left to wait for. */
  function serve(): void {
    while (takers.size > 0) {
      const lease = members.some(isUp) ? leaseOfFree() : null;
      if (lease === null && members.some(isUp)) return;
      takers.shift()!(lease);
    }
  }

  function stateChanged(): void {
    serve();
    changed();
  }

  function connect(pooled: PooledConnection): void {
    pooled.cancelTimer();
    pooled.state = 'connecting';
    pooled.connection = openMm4Connection(profile, clock, {
      opened: (certificate) => {
        pooled.certificate = certificate;
        pooled.refused = null;
        opened(pooled);
      },
      refused: (certificate) => {
        pooled.refused = certificate;
      },
      ended: (detail, polite) => ended(pooled, detail, polite),
    });
  }

  function opened(pooled: PooledConnection): void {
    pooled.state = 'reachable';
    pooled.failures = 0;
    pooled.detail = null;
    pooled.nextTryMs = null;
    rest(pooled);
    const { waiting } = pooled;
    pooled.waiting = null;
    waiting?.(true);
    stateChanged();
  }

  function ended(pooled: PooledConnection, detail: string, polite: boolean): void {
    pooled.connection = null;
    pooled.cancelTimer();
    const { waiting } = pooled;
    pooled.waiting = null;
    if (pooled.state !== 'stopped' && pooled.state !== 'reachable_idle') {
      if (polite && pooled.state === 'reachable') pooled.state = 'reachable_idle';
      else lose(pooled, detail);
    }
    waiting?.(false);
    whenClosed?.();
    stateChanged();
  }

  function lose(pooled: PooledConnection, detail: string): void {
    pooled.state = 'lost';
    const wait = Math.min(reconnectMsMax, reconnectMsMin * 2 ** pooled.failures++);
    // Between half and the full wait, so that connections cut together do not all reconnect at the same time.
    const delayMs = wait * (0.5 + 0.5 * random.fraction());
    pooled.detail = detail;
    pooled.nextTryMs = clock.monotonicMs() + delayMs;
    pooled.cancelTimer = clock.after(delayMs, () => connect(pooled));
  }

  /** Starts its idle time. */
  function rest(pooled: PooledConnection): void {
    if (pooled.state !== 'reachable' || pooled.busy) return;
    pooled.cancelTimer();
    pooled.cancelTimer = clock.after(idleMs, () => {
      pooled.state = 'reachable_idle';
      pooled.connection?.quit();
    });
  }

  function release(pooled: PooledConnection): void {
    pooled.busy = false;
    rest(pooled);
    stateChanged();
  }

  function stand(pooled: PooledConnection): Promise<boolean> {
    if (pooled.state === 'reachable') return Promise.resolve(true);
    if (pooled.state !== 'reachable_idle') return Promise.resolve(false);
    return new Promise((resolve) => {
      pooled.waiting = resolve;
      connect(pooled);
    });
  }

  async function send(pooled: PooledConnection, mail: OutgoingMail): Promise<MailOutcome> {
    const connection = (await stand(pooled)) ? pooled.connection : null;
    const outcome = await (connection?.send(mail) ?? { kind: 'unsent' as const, detail: pooled.detail ?? 'closed' });
    release(pooled);
    return outcome;
  }

  function leaseOfFree(): Lease | null {
    const isFree = (state: PooledState) => (pooled: PooledConnection) =>
      pooled.state === state && !pooled.busy && (state === 'reachable' || pooled.connection === null);
    const pooled = members.find(isFree('reachable')) ?? members.find(isFree('reachable_idle'));
    if (pooled === undefined) return null;
    pooled.busy = true;
    pooled.cancelTimer();
    return { send: (mail) => send(pooled, mail), release: () => release(pooled) };
  }

  return {
    start: (atRest) => {
      for (const pooled of members) {
        if (atRest) pooled.state = 'reachable_idle';
        else connect(pooled);
      }
    },
    up: () => members.some(isUp),
    failed: () => members.some(({ detail }) => detail !== null),
    detail: () => {
      const failed = members.find(({ detail }) => detail !== null);
      return (failed && lastDetail(failed, clock)) ?? 'not connected yet';
    },
    take: () =>
      new Promise((resolve) => {
        takers.push(resolve);
        serve();
      }),
    status: () => ({
      binds: members.map((pooled) => ({
        state: pooled.state,
        detail: lastDetail(pooled, clock),
        window: 1,
        inFlight: pooled.busy ? 1 : 0,
      })),
      certificate: endingFirst(members.map(({ certificate }) => certificate)),
      refusedCertificate: endingFirst(members.map(({ refused }) => refused)),
    }),
    stop: async () => {
      for (const pooled of members) {
        const isIdle = pooled.state === 'reachable' && !pooled.busy;
        pooled.cancelTimer();
        pooled.state = 'stopped';
        if (isIdle) pooled.connection?.quit();
        else pooled.connection?.close('the gateway stops');
      }
      serve();
      await new Promise<void>((resolve) => {
        whenClosed = () => {
          if (members.every(({ connection }) => connection === null)) resolve();
        };
        whenClosed();
      });
    },
  };
}

/** An idle connection counts as up, and so does one that a mail is reopening. */
const isUp = ({ state, busy }: PooledConnection): boolean =>
  state === 'reachable' || state === 'reachable_idle' || (state === 'connecting' && busy);
