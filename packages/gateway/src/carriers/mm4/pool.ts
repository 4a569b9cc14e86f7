/**
 * The connections of one MM4 carrier: opens up to the configured number, lends each for one mail, closes idle ones,
 * reconnects lost ones.
 */
import type { Clock, Random } from '../../kernel/clock.ts';
import { createFifo } from '../../kernel/passing.ts';
import { endingFirst, type PeerCertificate } from '../../model/peer-certificate.ts';
import type { CarrierStatus } from '../carrier.ts';
import { type LastWords, lastWords } from '../next-try.ts';
import { type MailOutcome, type Mm4Connection, type OutgoingMail, openMm4Connection } from './connection.ts';
import type { Mm4Profile } from './profile.ts';

/** A connection unused for this long is closed with QUIT; most servers would close it a little later. */
const idleMs = 30_000;
const reconnectMsMin = 500;
const reconnectMsMax = 60_000;

/** `reachable_idle`: closed on purpose, and the next mail opens it. `lost`: reopened after a wait. */
type LineState = 'new' | 'connecting' | 'reachable' | 'reachable_idle' | 'lost' | 'stopped';

interface Line extends LastWords {
  state: LineState;
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
  const lines: Line[] = Array.from({ length: profile.connections }, () => ({
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
      const lease = lines.some(isUp) ? leaseOfFree() : null;
      if (lease === null && lines.some(isUp)) return;
      takers.shift()!(lease);
    }
  }

  function told(): void {
    serve();
    changed();
  }

  function connect(line: Line): void {
    line.cancelTimer();
    line.state = 'connecting';
    line.connection = openMm4Connection(profile, clock, {
      opened: (certificate) => {
        line.certificate = certificate;
        line.refused = null;
        opened(line);
      },
      refused: (certificate) => {
        line.refused = certificate;
      },
      ended: (detail, polite) => ended(line, detail, polite),
    });
  }

  function opened(line: Line): void {
    line.state = 'reachable';
    line.failures = 0;
    line.detail = null;
    line.nextTryMs = null;
    rest(line);
    const { waiting } = line;
    line.waiting = null;
    waiting?.(true);
    told();
  }

  function ended(line: Line, detail: string, polite: boolean): void {
    line.connection = null;
    line.cancelTimer();
    const { waiting } = line;
    line.waiting = null;
    if (line.state !== 'stopped' && line.state !== 'reachable_idle') {
      if (polite && line.state === 'reachable') line.state = 'reachable_idle';
      else lose(line, detail);
    }
    waiting?.(false);
    whenClosed?.();
    told();
  }

  function lose(line: Line, detail: string): void {
    line.state = 'lost';
    const wait = Math.min(reconnectMsMax, reconnectMsMin * 2 ** line.failures++);
    // Between half and the full wait, so that connections cut together do not all reconnect at the same time.
    const delayMs = wait * (0.5 + 0.5 * random.fraction());
    line.detail = detail;
    line.nextTryMs = clock.monotonicMs() + delayMs;
    line.cancelTimer = clock.after(delayMs, () => connect(line));
  }

  /** Starts its idle time. */
  function rest(line: Line): void {
    if (line.state !== 'reachable' || line.busy) return;
    line.cancelTimer();
    line.cancelTimer = clock.after(idleMs, () => {
      line.state = 'reachable_idle';
      line.connection?.quit();
    });
  }

  function release(line: Line): void {
    line.busy = false;
    rest(line);
    told();
  }

  function stand(line: Line): Promise<boolean> {
    if (line.state === 'reachable') return Promise.resolve(true);
    if (line.state !== 'reachable_idle') return Promise.resolve(false);
    return new Promise((resolve) => {
      line.waiting = resolve;
      connect(line);
    });
  }

  async function send(line: Line, mail: OutgoingMail): Promise<MailOutcome> {
    const connection = (await stand(line)) ? line.connection : null;
    const outcome = await (connection?.send(mail) ?? { kind: 'unsent' as const, detail: line.detail ?? 'closed' });
    release(line);
    return outcome;
  }

  function leaseOfFree(): Lease | null {
    const isFree = (state: LineState) => (line: Line) =>
      line.state === state && !line.busy && (state === 'reachable' || line.connection === null);
    const line = lines.find(isFree('reachable')) ?? lines.find(isFree('reachable_idle'));
    if (line === undefined) return null;
    line.busy = true;
    line.cancelTimer();
    return { send: (mail) => send(line, mail), release: () => release(line) };
  }

  return {
    start: (atRest) => {
      for (const line of lines) {
        if (atRest) line.state = 'reachable_idle';
        else connect(line);
      }
    },
    up: () => lines.some(isUp),
    failed: () => lines.some(({ detail }) => detail !== null),
    detail: () => {
      const failed = lines.find(({ detail }) => detail !== null);
      return (failed && lastWords(failed, clock)) ?? 'not connected yet';
    },
    take: () =>
      new Promise((resolve) => {
        takers.push(resolve);
        serve();
      }),
    status: () => ({
      binds: lines.map((line) => ({
        state: line.state,
        detail: lastWords(line, clock),
        window: 1,
        inFlight: line.busy ? 1 : 0,
      })),
      certificate: endingFirst(lines.map(({ certificate }) => certificate)),
      refusedCertificate: endingFirst(lines.map(({ refused }) => refused)),
    }),
    stop: async () => {
      for (const line of lines) {
        const isIdle = line.state === 'reachable' && !line.busy;
        line.cancelTimer();
        line.state = 'stopped';
        if (isIdle) line.connection?.quit();
        else line.connection?.close('the gateway stops');
      }
      serve();
      await new Promise<void>((resolve) => {
        whenClosed = () => {
          if (lines.every(({ connection }) => connection === null)) resolve();
        };
        whenClosed();
      });
    },
  };
}

/** An idle connection counts as up, and so does one that a mail is reopening. */
const isUp = ({ state, busy }: Line): boolean =>
  state === 'reachable' || state === 'reachable_idle' || (state === 'connecting' && busy);
