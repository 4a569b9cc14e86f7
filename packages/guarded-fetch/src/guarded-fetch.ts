/**
 * Fetches URLs written by customers. Resolves the name itself, checks every address of the name, dials a checked
 * address, verifies the peer, and returns constant words and bounded bytes. Uses no proxy, never throws on network
 * faults, and never reveals what a name resolved to.
 */
import { type Clock, systemClock } from './clock.ts';
import { createConnections } from './connections.ts';
import { type ConnectTcp, machineConnectTcp } from './dial.ts';
import { isUsableHeader } from './header-rules.ts';
import { createReach, type Failed, type Reach, type UnreachableReason } from './reach.ts';
import { machineResolve, type Resolve, rememberResolved } from './resolve.ts';
import { isRedirect, type ResponseCaps, type RoundTrip } from './round-trip.ts';
import { timeLimit } from './time-limit.ts';
import { type BlockedReason, type CheckedUrl, checkUrl, type UrlCheck, type UrlPolicy } from './url-rules.ts';

export interface FetchCaps extends ResponseCaps {
  /** Limit of name resolution, TCP and TLS together, for each hop. */
  readonly connectMs: number;
  /** Limit of everything, redirects included. */
  readonly totalMs: number;
}

export interface FetchRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Sent to the origin of `url`; once a redirect leaves that origin, only Accept and User-Agent are sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly policy: UrlPolicy;
  readonly caps: FetchCaps;
  /** Followed for a GET only. 0: a redirect is an answer like any other. */
  readonly redirectsMax: number;
}

export type Fetched =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names; only those that `round-trip` passes on. */
      readonly headers: Readonly<Record<string, string>>;
      /** As received, not decoded; its first bytes when `caps.keep` is a number. */
      readonly body: Buffer;
      readonly truncated: boolean;
      readonly ms: number;
    }
  /** Not dialled because of the URL, or of a redirect's target. */
  | { readonly kind: 'blocked'; readonly why: BlockedReason; readonly ms: number }
  /** `sent`: a byte of the request may have been sent, so the server may have acted on it. */
  | { readonly kind: 'unreachable'; readonly why: UnreachableReason; readonly sent: boolean; readonly ms: number }
  /** Nothing was tried: too many requests are under way. Not the target's fault. */
  | { readonly kind: 'busy'; readonly ms: number };

export type ResolvedUrlCheck = { readonly ok: true } | { readonly ok: false; readonly why: BlockedReason | 'dns' };

export interface FetchLimits {
  /** Requests under way, in all and to one scheme, host and port. */
  readonly inFlightMax: number;
  readonly inFlightPerTargetMax: number;
  /** Free connections kept in total. */
  readonly idleMax: number;
  readonly idleMs: number;
  readonly connectionAgeMs: number;
  /** How long a DNS answer is cached, and for how many names. */
  readonly resolvedKeptMs: number;
  readonly resolvedNamesMax: number;
  /** How many addresses of one name are tried, one after the other. */
  readonly addressesMax: number;
}

export const defaultFetchLimits: FetchLimits = {
  inFlightMax: 1_024,
  inFlightPerTargetMax: 64,
  idleMax: 256,
  idleMs: 4_000,
  connectionAgeMs: 30_000,
  resolvedKeptMs: 10_000,
  resolvedNamesMax: 1_000,
  addressesMax: 4,
};

export interface GuardedFetch {
  fetch(request: FetchRequest): Promise<Fetched>;
  /** `checkUrl`, and the same for every address its host resolves to now. Waits for DNS at most `waitMs`. */
  checkUrlResolved(url: string, policy: UrlPolicy, waitMs: number): Promise<ResolvedUrlCheck>;
  /** Closes every connection; requests under way end as `timeout`, later ones as `busy`. */
  close(): void;
}

export interface GuardedFetchParts {
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Default: the machine's DNS. */
  readonly resolve?: Resolve;
  readonly limits?: Partial<FetchLimits>;
  readonly connectTcp?: ConnectTcp;
  /** Certificates (PEM) trusted instead of the machine's. */
  readonly ca?: string;
}

type Answered = RoundTrip & { kind: 'answered' };

export function createGuardedFetch(parts: GuardedFetchParts = {}): GuardedFetch {
  const { clock = systemClock, resolve = machineResolve } = parts;
  const limits = { ...defaultFetchLimits, ...parts.limits };
  const connections = createConnections(clock, {
    ageMs: limits.connectionAgeMs,
    idleMs: limits.idleMs,
    idleMax: limits.idleMax,
  });
  const reach = createReach({
    clock,
    connections,
    resolve: rememberResolved(resolve, clock, {
      keptMs: limits.resolvedKeptMs,
      namesMax: limits.resolvedNamesMax,
    }),
    connectTcp: parts.connectTcp ?? machineConnectTcp,
    ca: parts.ca,
    addressesMax: limits.addressesMax,
    idleMs: limits.idleMs,
  });
  const gate = createGate(limits);
  const closing = new AbortController();

  async function admitted(request: FetchRequest, url: CheckedUrl): Promise<Answered | Failed | { kind: 'busy' }> {
    const leave = closing.signal.aborted ? null : gate.enter(url.origin);
    if (leave === null) return { kind: 'busy' };
    try {
      return await timeLimit(clock, request.caps.totalMs, closing.signal, (signal) =>
        follow(reach, request, url, signal),
      );
    } finally {
      leave();
    }
  }

  return {
    async fetch(request) {
      const startedMs = clock.monotonicMs();
      const checked = checkRequest(request);
      const outcome = checked.ok ? await admitted(request, checked.url) : blocked(checked.why);
      const ms = Math.round(clock.monotonicMs() - startedMs);
      if (outcome.kind !== 'answered') return { ...outcome, ms };
      const { status, headers, body, truncated } = outcome;
      return { kind: 'answered', status, headers, body, truncated, ms };
    },

    async checkUrlResolved(text, policy, waitMs) {
      const checked = checkUrl(text, policy);
      if (!checked.ok) return checked;
      const found = await timeLimit(clock, waitMs, closing.signal, (signal) =>
        reach.addresses(checked.url, policy, signal),
      );
      if (found.kind === 'addresses') return { ok: true };
      return { ok: false, why: found.kind === 'blocked' ? found.why : 'dns' };
    },

    close() {
      closing.abort();
      connections.close();
    },
  };
}

function checkRequest({ url, policy, headers }: FetchRequest): UrlCheck {
  const usable = Object.entries(headers).every(([name, value]) => isUsableHeader(name, value));
  return usable ? checkUrl(url, policy) : { ok: false, why: 'header' };
}

/** Requests `start`, then the target of each redirect, checked like the first. */
async function follow(
  reach: Reach,
  request: FetchRequest,
  start: CheckedUrl,
  signal: AbortSignal,
): Promise<Answered | Failed> {
  const follows = request.redirectsMax > 0 && request.method === 'GET';
  let url = start;
  let { headers } = request;
  for (let left = request.redirectsMax; ; left--) {
    const outcome = await reach.ask(url, { ...request, headers, skipRedirectBody: follows }, signal);
    if (outcome.kind !== 'answered' || !follows || !isRedirect(outcome.status)) return outcome;
    const next = left > 0 ? redirectTarget(url, outcome.location) : null;
    if (next === null) return wrongRedirect;
    const checked = checkUrl(next, request.policy);
    if (!checked.ok) return blocked(checked.why);
    if (url.secure && !checked.url.secure) return wrongRedirect;
    if (checked.url.origin !== url.origin) headers = withoutSecrets(headers);
    url = checked.url;
  }
}

const wrongRedirect: Failed = { kind: 'unreachable', why: 'redirect', sent: true };

/** RFC 9110 §10.2.2: Location may be relative. */
function redirectTarget(from: CheckedUrl, location: string | null): string | null {
  return location === null ? null : (URL.parse(location, from.origin + from.path)?.href ?? null);
}

function withoutSecrets(headers: FetchRequest['headers']): FetchRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(accept|user-agent)$/i.test(name)));
}

function blocked(why: BlockedReason): Failed {
  return { kind: 'blocked', why };
}

/** Counts requests under way; `enter` returns a function that leaves, or null when it is full. */
function createGate(limits: Pick<FetchLimits, 'inFlightMax' | 'inFlightPerTargetMax'>) {
  let total = 0;
  const perTarget = new Map<string, number>();
  return {
    enter(target: string): (() => void) | null {
      const here = perTarget.get(target) ?? 0;
      if (total >= limits.inFlightMax || here >= limits.inFlightPerTargetMax) return null;
      total++;
      perTarget.set(target, here + 1);
      return () => {
        total--;
        const rest = perTarget.get(target)! - 1;
        if (rest === 0) perTarget.delete(target);
        else perTarget.set(target, rest);
      };
    },
  };
}
