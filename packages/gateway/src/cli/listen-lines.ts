/**
 * The output of `helio listen`: one line for each event on stdout, the state of the connections on stderr. Text only.
 */
import type { RetryInfo, WebhookEvent } from '@heliograph/client';
import type { Clock } from '../kernel/clock.ts';
import { type Forwarded, taken } from './forward.ts';
import type { Terminal } from './terminal.ts';

export interface ListenLines {
  /** The gateway answered. */
  connected(): void;
  /** A call to the gateway failed and is being repeated. */
  lost(info: Pick<RetryInfo, 'error'>): void;
  /** An event that is only shown here. */
  seen(event: WebhookEvent): void;
  /** One POST of an event; `again`: the same event will be posted once more. */
  forwarded(event: WebhookEvent, attempt: number, outcome: Forwarded, again: boolean): void;
}

interface LineOptions {
  forwardTo?: string;
  json?: boolean;
  clock: Pick<Clock, 'now'>;
}

/** Aligns the columns for every event type. */
const typeWidth = 'message.unconfirmed'.length;

export function createListenLines(terminal: Terminal, { forwardTo, json, clock }: LineOptions): ListenLines {
  let greeted = false;
  let lost = false;
  let nobodyThere = false;

  function print(event: WebhookEvent, facts: object, end: string): void {
    const { id, type, timestamp, data } = event;
    const line = json
      ? JSON.stringify({ id, type, timestamp, data, ...facts })
      : `${localTime(clock.now())}  ${type.padEnd(typeWidth)}  ${id}${end}`;
    terminal.out(`${line}\n`);
  }

  return {
    connected: () => {
      if (!greeted) terminal.error(ready(forwardTo));
      else if (lost) terminal.error('Connected again.\n');
      greeted = true;
      lost = false;
    },
    lost: ({ error }) => {
      // Printed once, however long the connection is lost.
      if (!lost) terminal.error(`${error.detail} (${error.reason}) Trying again.\n`);
      lost = true;
    },
    seen: (event) => print(event, {}, ''),
    forwarded: (event, attempt, outcome, again) => {
      const repeated = nobodyThere && outcome.kind === 'down';
      nobodyThere = outcome.kind === 'down';
      // One line says that the server is unreachable, however long that lasts.
      if (!repeated) print(event, { attempt, ...outcome }, `  → ${outcomeText(outcome)}${whatNext(outcome, again)}`);
    },
  };
}

function ready(forwardTo: string | undefined): string {
  return forwardTo === undefined
    ? 'Ready. Showing events only: --forward-to URL hands them to a server. Stop: Ctrl+C\n'
    : `Ready. Forwarding to ${forwardTo}. Secret: helio listen --print-secret   Stop: Ctrl+C\n`;
}

function outcomeText(outcome: Forwarded): string {
  switch (outcome.kind) {
    case 'answered':
      return `${outcome.status} (${outcome.durationMs} ms)`;
    case 'timeout':
      return `no answer within ${outcome.durationMs} ms`;
    case 'broken':
      return `no answer: the connection broke (${outcome.why})`;
    case 'down':
      return `nobody there (${outcome.why})`;
  }
}

function whatNext(outcome: Forwarded, again: boolean): string {
  if (outcome.kind === 'down') return '; trying until somebody is';
  if (again) return '; once more soon';
  return taken(outcome) ? '' : '; given up';
}

function localTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}
