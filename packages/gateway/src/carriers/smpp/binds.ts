/**
 * The sessions of one SMPP carrier: opens the configured number, spreads requests over bound ones, and replaces a bind
 * that the carrier calls unusable.
 */
import {
  type Client,
  type ClientHandlers,
  type ClientMachine,
  type ClientOptions,
  createClient,
  type EncodeFailure,
  type Failure,
  type InboundRequest,
  type Outcome,
  type PduFields,
  type ProtocolError,
  ReadShare,
  statusName,
} from '@heliograph/smpp';
import type { EpochMs } from '../../kernel/clock.ts';
import { endingFirst, type PeerCertificate } from '../../model/peer-certificate.ts';
import type { CarrierStatus } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import { type LastDetail, lastDetail } from '../next-try.ts';
import { shownCertificate } from '../peer-certificate.ts';
import type { BindLog, PduLog } from './pdu-log.ts';
import type { SmppProfile } from './profile.ts';
import { completeSmpp } from './profile.ts';

/** Wait before an unusable bind is replaced. */
const rebindAfterMs = 5_000;
/** Time for an unusable bind to get its open answers. */
const rebindDrainMs = 5_000;

/** Requests of the carrier that may wait for the store at once, over all receiving connections. */
const inboundMax = 1_000;
/** A carrier that does not answer our unbind is disconnected after this. */
const unbindTimeoutMs = 2_000;

type BindKind = ClientOptions['bind'];

const boundState: Record<BindKind, string> = {
  transceiver: 'bound_trx',
  transmitter: 'bound_tx',
  receiver: 'bound_rx',
};

interface Bind extends LastDetail {
  kind: BindKind;
  client: Client;
  /** When it was bound or lost. */
  since: EpochMs | null;
  /** The certificate of its last session. */
  certificate: PeerCertificate | null;
  /** The certificate of the last session refused because of it, until one is bound. */
  refused: PeerCertificate | null;
  rebinding: boolean;
  /** Protocol errors since the start. */
  protocolErrors: number;
  log: BindLog;
}

export interface BindsHandlers {
  /** A session was bound or lost. */
  changed(): void;
  request(request: InboundRequest): void;
  /** The carrier broke the protocol; it may do so without end. */
  broke(error: ProtocolError): void;
}

export interface Binds {
  start(): void;
  /** True while a session that can send is bound. */
  up(): boolean;
  /** Why it is down, for people. */
  detail(): string;
  /** Requests that the bound sessions can take now. */
  free(): number;
  /** `settle` is called once if 'sent' was returned; its `rebind` replaces the session that carried the request. */
  submit(
    fields: PduFields<'submit_sm'>,
    settle: (outcome: Outcome, rebind: (reason: string) => void) => void,
  ): 'sent' | 'no_slot' | EncodeFailure;
  status(): Pick<CarrierStatus, 'binds' | 'certificate' | 'refusedCertificate'>;
  /** Connects sessions at once that wait for their next attempt or have stopped trying. */
  retry(): void;
  stop(drainMs: number): Promise<void>;
}

export function createBinds(profile: SmppProfile, deps: CarrierDeps, handlers: BindsHandlers, log: PduLog): Binds {
  const kinds: BindKind[] = profile.bindMode === 'transceiver' ? ['transceiver'] : ['transmitter', 'receiver'];
  const binds: Bind[] = [];
  // Shared by all binds: more connections must not get a larger share of each turn.
  const own = { ...deps, share: new ReadShare() };
  for (let i = 0; i < profile.binds; i++)
    for (const kind of kinds) binds.push(openBind(kind, profile, own, handlers, log.ofBind(binds.length + 1)));
  const senders = binds.filter(({ kind }) => kind !== 'receiver');
  let turn = 0;
  let stopped = false;

  async function rebind(bind: Bind, reason: string): Promise<void> {
    if (bind.rebinding || stopped) return;
    bind.rebinding = true;
    bind.detail = reason;
    bind.nextTryMs = null;
    const closed = bind.client.stop({ drainMs: rebindDrainMs });
    handlers.changed();
    await closed;
    await new Promise<void>((resolve) => deps.clock.after(rebindAfterMs, resolve));
    bind.rebinding = false;
    if (!stopped) bind.client.start();
  }

  function submit(...[fields, settle]: Parameters<Binds['submit']>): ReturnType<Binds['submit']> {
    for (let i = 0; i < senders.length; i++) {
      const bind = senders[turn]!;
      turn = (turn + 1) % senders.length;
      if (bind.client.free <= 0) continue;
      const settled = (outcome: Outcome) => settle(outcome, (reason) => void rebind(bind, reason));
      const sent = bind.client.submit(fields, log.isOn() ? bind.log.watching(settled) : settled);
      if (typeof sent === 'number') return 'sent';
      if (typeof sent === 'object') return sent;
    }
    return 'no_slot';
  }

  /** The client reports times on the monotonic clock. */
  function epochOf(atMs: number | undefined): EpochMs | null {
    return atMs === undefined ? null : Math.round(deps.clock.now() - (deps.clock.monotonicMs() - atMs));
  }

  return {
    start: () => {
      for (const { client } of binds) client.start();
    },
    up: () => senders.some(({ client }) => client.state === 'bound'),
    detail: () => {
      const failed = senders.find(({ detail }) => detail !== null);
      return (failed && lastDetail(failed, deps.clock)) ?? 'not connected yet';
    },
    free: () => senders.reduce((sum, { client }) => sum + client.free, 0),
    submit,
    status: () => ({
      binds: binds.map((bind) => ({
        kind: bind.kind,
        since: bind.since,
        detail: lastDetail(bind, deps.clock),
        state: bind.client.state === 'bound' ? boundState[bind.kind] : bind.client.state,
        window: profile.window,
        inFlight: bind.client.outstanding,
        protocolErrors: bind.protocolErrors,
        heardAt: epochOf(bind.client.heardAtMs),
        enquireLinkAt: epochOf(bind.client.linkAtMs),
      })),
      certificate: endingFirst(binds.map(({ certificate }) => certificate)),
      refusedCertificate: endingFirst(binds.map(({ refused }) => refused)),
    }),
    retry: () => {
      for (const bind of binds) {
        if (bind.nextTryMs !== null) bind.nextTryMs = deps.clock.monotonicMs();
        bind.client.retry();
      }
    },
    stop: async (drainMs) => {
      stopped = true;
      await Promise.all(binds.map(({ client }) => client.stop({ drainMs })));
    },
  };
}

function openBind(
  kind: BindKind,
  profile: SmppProfile,
  deps: CarrierDeps & { share: ReadShare },
  handlers: BindsHandlers,
  log: BindLog,
): Bind {
  const own: ClientHandlers = {
    onBound: () => {
      bind.detail = null;
      bind.nextTryMs = null;
      bind.since = deps.clock.now();
      bind.certificate = shownCertificate(client.peerCertificate);
      bind.refused = null;
      handlers.changed();
    },
    onUnbound: (cause) => {
      log.logEvent('in', 'connection closed', { cause });
      bind.detail ??= cause;
      bind.since = deps.clock.now();
      handlers.changed();
    },
    onFailure: (failure, retryInMs) => {
      bind.detail = describe(failure, retryInMs);
      bind.refused = failure.kind === 'connect_failed' ? shownCertificate(failure.certificate) : null;
      bind.nextTryMs = retryInMs === 'stop' ? null : deps.clock.monotonicMs() + retryInMs;
      log.logEvent('in', 'not bound', { detail: bind.detail });
      handlers.changed();
    },
    onRequest: (request) => handlers.request(request),
    onWire: log.wire,
    onProtocolError: (error) => {
      bind.protocolErrors++;
      handlers.broke(error);
    },
  };
  const client = createClient(clientOptions(kind, profile), own, { ...machineOf(deps), share: deps.share });
  const bind: Bind = {
    kind,
    client,
    detail: null,
    nextTryMs: null,
    since: null,
    certificate: null,
    refused: null,
    rebinding: false,
    protocolErrors: 0,
    log,
  };
  return bind;
}

/** Clock, randomness and network in the form that the protocol package takes. */
export function machineOf({ clock, random, connect, mayHandOver }: Omit<CarrierDeps, 'logger'>): ClientMachine {
  return {
    clock: { nowMs: () => clock.monotonicMs(), setTimer: (fire, delayMs) => clock.after(delayMs, fire) },
    random: () => random.fraction(),
    ...(connect && { connect }),
    ...(mayHandOver && { maySend: mayHandOver }),
  };
}

export function clientOptions(bind: BindKind, profile: SmppProfile): ClientOptions {
  const { host, port, system_id, password, system_type, interface_version, window, enquireLinkMs } = profile;
  const more = completeSmpp(profile);
  return {
    host,
    port,
    tls: profile.tls ? { rejectUnauthorized: profile.tlsVerify } : false,
    bind,
    system_id,
    password,
    system_type,
    interface_version,
    window,
    enquireLinkMs,
    responseTimeoutMs: Math.max(profile.responseTimeoutMs, threeWindowsMs(profile)),
    reconnect: {
      startMs: more.reconnectMs,
      maxMs: more.reconnectMsMax,
      bindStartMs: more.rebindMs,
      bindMaxMs: more.rebindMsMax,
      passwordRefusalsMax: more.passwordTriesMax,
      stableAfterMs: more.stableAfterMs,
    },
    // Anything beyond stays in the socket, and with the carrier, until the store has taken what came before.
    inboundOverflow: 'pause',
    inboundWindow: Math.ceil(inboundMax / profile.binds),
    unbindTimeoutMs,
    // These modes need their TLVs, and many carriers accept TLVs although their bind_resp does not say so.
    tlvs: profile.longMessage === 'sar' || profile.longMessage === 'payload' ? 'always' : 'negotiated',
  };
}

/** A slow carrier must not count as dead: three times the time that all windows take at the allowed rate. */
function threeWindowsMs({ messagesPerSecond, window, binds }: SmppProfile): number {
  return messagesPerSecond === 0 ? 0 : (3 * window * binds * 1_000) / messagesPerSecond;
}

function describe(failure: Failure, retryInMs: number | 'stop'): string {
  const next = retryInMs === 'stop' ? '; not tried again by itself' : '';
  switch (failure.kind) {
    case 'connect_failed':
      return `connection failed: ${failure.detail}${next}`;
    case 'bind_refused':
      return `bind refused: ${statusName(failure.command_status)}${next}`;
    case 'closed':
      return `connection ended: ${failure.cause}${next}`;
  }
}
