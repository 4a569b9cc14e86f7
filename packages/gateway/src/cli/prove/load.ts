/**
 * A steady load over HTTP: one message in each request, each to its own destination, over a few keep-alive connections.
 * Writes each acknowledgement to a file outside the gateway before it counts. Sends nothing twice.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { machineClock as clock } from '../../kernel/machine.ts';
import type { Gateway } from './gateway.ts';

export interface Load {
  /** Destination → message id, for all acknowledgements so far. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Destination → round, as passed to `resume`. */
  readonly roundOf: ReadonlyMap<string, number>;
  /** Answers that acknowledged nothing, by status; 0 = no answer. */
  readonly others: ReadonlyMap<number, number>;
  /** Sends until `pause` is called. */
  resume(round: number): void;
  /** Resolves when no request is open. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

const requestsPerSecond = 250;
const connections = 8;
const requestMsMax = 10_000;
/** Pause between two requests while the gateway is down. The load also catches up on no more than this. */
const afterFaultMs = 50;

export function createLoad(gateway: Gateway, acknowledgedFile: string, signal: AbortSignal): Load {
  const file = openSync(acknowledgedFile, 'a');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  // Open requests end with the run, even those to a frozen gateway.
  signal.addEventListener('abort', () => agent.destroy(), { once: true });
  const acknowledged = new Map<string, string>();
  const roundOf = new Map<string, number>();
  const others = new Map<number, number>();
  let isOn = false;
  let nextAtMs = 0;
  let senders: Promise<void>[] = [];

  async function send(round: number): Promise<void> {
    while (isOn) {
      const now = clock.monotonicMs();
      nextAtMs = Math.max(nextAtMs, now - afterFaultMs) + 1_000 / requestsPerSecond;
      if (nextAtMs > now) await pause(nextAtMs - now);
      if (!isOn) return;
      const number = roundOf.size;
      const to = destinationOf(number);
      roundOf.set(to, round);
      const { status, body } = await call(gateway, agent, to, String(number));
      const id = gateway.acknowledged(status, body);
      if (id !== null) {
        writeSync(file, `${to}\t${id}\n`);
        acknowledged.set(to, id);
        continue;
      }
      others.set(status, (others.get(status) ?? 0) + 1);
      if (status === 0) await pause(afterFaultMs);
    }
  }

  const stop = async (): Promise<void> => {
    isOn = false;
    await Promise.all(senders);
    senders = [];
  };
  return {
    acknowledged,
    roundOf,
    others,
    resume: (round) => {
      isOn = true;
      senders = Array.from({ length: connections }, () => send(round));
    },
    pause: stop,
    close: async () => {
      await stop();
      agent.destroy();
      closeSync(file);
    },
  };
}

/** A valid number with 11 digits. */
function destinationOf(number: number): string {
  return `4${String(number).padStart(10, '0')}`;
}

/** Status 0 when the connection ended before the answer. */
function call(gateway: Gateway, agent: Agent, to: string, mid: string): Promise<{ status: number; body: string }> {
  const { method, path, headers, body } = gateway.request(to, mid);
  const options = { host: '127.0.0.1', port: gateway.port, method, path, agent, timeout: requestMsMax };
  return new Promise((resolve) => {
    const none = () => resolve({ status: 0, body: '' });
    const sent = request({ ...options, headers: Object.fromEntries(headers) }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', none);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', none);
    sent.end(body ?? undefined);
  });
}
