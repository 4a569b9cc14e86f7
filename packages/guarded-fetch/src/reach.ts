/**
 * From a checked URL to an answer: resolve, check all addresses, use a free connection to one of them or dial one, send
 * the request. Follows no redirect. Every address passes `mayDial` each time it is used, cached or not.
 */

import { mayDial } from './address-rules.ts';
import type { Clock } from './clock.ts';
import type { Connection, Connections } from './connections.ts';
import { type ConnectTcp, dial } from './dial.ts';
import type { Resolve } from './resolve.ts';
import { type ResponseCaps, type RoundTrip, type RoundTripRequest, roundTrip } from './round-trip.ts';
import { timeLimit, unlessAborted } from './time-limit.ts';
import type { BlockedReason, CheckedUrl, UrlPolicy } from './url-rules.ts';

/** Why there is no answer. `sent`: a byte of the request may have been sent. */
export type Failed =
  | { readonly kind: 'blocked'; readonly why: BlockedReason }
  | { readonly kind: 'unreachable'; readonly why: UnreachableReason; readonly sent: boolean };

export type UnreachableReason =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'too-large'
  | 'too-slow'
  /** Too many redirects, one without a target, or one from https to http. */
  | 'redirect'
  /** The response is not HTTP. */
  | 'protocol';

export interface ReachRequest extends Omit<RoundTripRequest, 'path' | 'body'> {
  readonly body?: string | Uint8Array;
  readonly policy: UrlPolicy;
  /** `connectMs`: name resolution, TCP and TLS together. */
  readonly caps: ResponseCaps & { readonly connectMs: number };
}

export interface Reach {
  /** Every address of the URL's host, all of them allowed, best first. */
  addresses(
    url: CheckedUrl,
    policy: UrlPolicy,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'addresses'; readonly list: readonly string[] } | Failed>;
  ask(
    url: CheckedUrl,
    request: ReachRequest,
    signal: AbortSignal,
  ): Promise<(RoundTrip & { kind: 'answered' }) | Failed>;
}

interface ReachParts {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly resolve: Resolve;
  readonly connectTcp: ConnectTcp;
  readonly ca: string | undefined;
  /** How many addresses of one name are tried, one after the other. */
  readonly addressesMax: number;
  /** How long a free connection stays open. */
  readonly idleMs: number;
}

type Connected = { readonly kind: 'connected'; readonly connection: Connection; readonly reused: boolean };

/** More than any legitimate name has; checking thousands would delay all other requests. */
const addressesOfNameMax = 64;

const addressBlocked: Failed = { kind: 'blocked', why: 'address' };

export function createReach(parts: ReachParts): Reach {
  const { clock, connections, resolve } = parts;

  const addresses: Reach['addresses'] = async (url, policy, signal) => {
    const list = url.literal ? [url.host] : await unlessAborted(resolve(url.host, policy.allowPrivate), signal);
    if (signal.aborted) return unreachable('timeout');
    if (list === null || list.length === 0) return unreachable('dns');
    // One forbidden address refuses the whole name: chance must not decide which address is dialled.
    if (list.length > addressesOfNameMax) return addressBlocked;
    if (!list.every((address) => mayDial(address, url.port, policy))) return addressBlocked;
    return { kind: 'addresses', list: list.slice(0, parts.addressesMax) };
  };

  async function dialOne(url: CheckedUrl, address: string, signal: AbortSignal): Promise<Connected | Failed> {
    const { host, literal, port, secure } = url;
    const tlsHost = secure ? { host, literal } : null;
    // Loaded before the socket is open, which would have no error listener meanwhile.
    const { clientOver } = await import('./http-client.ts');
    const dialled = await dial({ address, port, tlsHost, ca: parts.ca }, parts.connectTcp, signal);
    if (!dialled.ok) return dialled.why === 'peer' ? addressBlocked : unreachable(dialled.why);
    const connection = connections.open(
      keyOf(url, address),
      clientOver(dialled.socket, url.origin, parts.idleMs),
      dialled.socket,
    );
    return { kind: 'connected', connection, reused: false };
  }

  /** Dials the addresses one after the other, each with its share of the time, until one is reached. */
  async function dialAny(
    url: CheckedUrl,
    list: readonly string[],
    connectMs: number,
    signal: AbortSignal,
  ): Promise<Connected | Failed> {
    let last: Connected | Failed = unreachable('connect');
    for (const address of list) {
      last = await timeLimit(clock, connectMs / list.length, signal, (share) => dialOne(url, address, share));
      const next = last.kind === 'unreachable' && (last.why === 'connect' || last.why === 'timeout');
      if (!next || signal.aborted) break;
    }
    return last;
  }

  async function connect(
    url: CheckedUrl,
    { policy, caps }: ReachRequest,
    signal: AbortSignal,
  ): Promise<Connected | Failed> {
    const found = await addresses(url, policy, signal);
    if (found.kind !== 'addresses') return found;
    for (const address of found.list) {
      const connection = connections.take(keyOf(url, address));
      if (connection !== null) return { kind: 'connected', connection, reused: true };
    }
    return dialAny(url, found.list, caps.connectMs, signal);
  }

  return {
    addresses,

    async ask(url, request, signal) {
      for (;;) {
        const connected = await timeLimit(clock, request.caps.connectMs, signal, (limit) =>
          connect(url, request, limit),
        );
        if (connected.kind !== 'connected') return connected;
        const { connection, reused } = connected;
        const outcome = await roundTrip(connection, requestOf(url, request), request.caps, clock, signal);
        if (outcome.kind === 'answered') {
          if (outcome.ended) connections.give(connection);
          else connections.drop(connection);
          return outcome;
        }
        connections.drop(connection);
        // A free connection that was closed before anything was written is simply replaced.
        const stale = reused && !outcome.sent && outcome.why === 'reset';
        if (!stale) return { kind: 'unreachable', why: outcome.why, sent: outcome.sent };
      }
    },
  };
}

function unreachable(why: UnreachableReason): Failed {
  return { kind: 'unreachable', why, sent: false };
}

function keyOf(url: CheckedUrl, address: string): string {
  return `${url.origin} ${address}`;
}

function requestOf(url: CheckedUrl, { method, headers, body, skipRedirectBody }: ReachRequest): RoundTripRequest {
  return {
    method,
    path: url.path,
    headers: { 'accept-encoding': 'identity', ...headers },
    body: body ?? null,
    skipRedirectBody,
  };
}
