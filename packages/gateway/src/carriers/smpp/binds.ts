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
import { type LastWords, lastWords } from '../next-try.ts';
import { shownCertificate } from '../peer-certificate.ts';
import type { BindLog, PduLog } from './pdu-log.ts';
import type { SmppProfile } from './profile.ts';
import { completeSmpp } from './profile.ts';

/** Before a bind that the carrier called unusable is made anew. */
const rebindAfterMs = 5_000;
/** What such a bind still gets for its open answers. */
const rebindDrainMs = 5_000;

/** Of what the carrier sends, so much waits for the store at one time, over all connections that receive. */
const inboundMax = 1_000;
/** A carrier that does not answer our unbind is left. */
const unbindTimeoutMs = 2_000;

type BindKind = ClientOptions['bind'];

const boundState: Record<BindKind, string> = {
  transceiver: 'bound_trx',
  transmitter: 'bound_tx',
  receiver: 'bound_rx',
};

interface Bind extends LastWords {
  kind: BindKind;
  client: Client;
  /** When it was bound, or lost. */
  since: EpochMs | null;
  /** Of its last session. */
  certificate: PeerCertificate | null;
  /** Of the last that was refused for it, until one is bound. */
  refused: PeerCertificate | null;
  rebinding: boolean;
  /** Since the start. */
  protocolErrors: number;
  log: BindLog;
}

export interface BindsHandlers {
  /** A session was bound or lost. */
  changed(): void;
  request(request: InboundRequest): void;
  /** The carrier did something against the protocol, and may do so without end. */
  broke(error: ProtocolError): void;
}

export interface Binds {
  start(): void;
  /** True while a session that can send is bound. */
  up(): boolean;
  /** Why it is down, for people. */
  detail(): string;
  /** Requests the bound sessions would take now. */
  free(): number;
  /** `settle` is called once when 'sent' was returned; `rebind` gives up the session that carried it. */
  submit(
    fields: PduFields<'submit_sm'>,
    settle: (outcome: Outcome, rebind: (reason: string) => void) => void,
  ): 'sent' | 'no_slot' | EncodeFailure;
  status(): Pick<CarrierStatus, 'binds' | 'certificate' | 'refusedCertificate'>;
  /** Sessions that wait for their next try, or are not tried by themselves any more, are tried now. */
  retry(): void;
  stop(drainMs: number): Promise<void>;
}

export function createBinds(profile: SmppProfile, deps: CarrierDeps, handlers: BindsHandlers, log: PduLog): Binds {
  const kinds: BindKind[] = profile.bindMode === 'transceiver' ? ['transceiver'] : ['transmitter', 'receiver'];
  const binds: Bind[] = [];
  // One for all: more connections are no more of a share.
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

  /** The client tells of times by the clock that never jumps. */
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
      return (failed && lastWords(failed, deps.clock)) ?? 'not connected yet';
    },
    free: () => senders.reduce((sum, { client }) => sum + client.free, 0),
    submit,
    status: () => ({
      binds: binds.map((bind) => ({
        kind: bind.kind,
        since: bind.since,
        detail: lastWords(bind, deps.clock),
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
      log.told('in', 'connection closed', { cause });
      bind.detail ??= cause;
      bind.since = deps.clock.now();
      handlers.changed();
    },
    onFailure: (failure, retryInMs) => {
      bind.detail = describe(failure, retryInMs);
      bind.refused = failure.kind === 'connect_failed' ? shownCertificate(failure.certificate) : null;
      bind.nextTryMs = retryInMs === 'stop' ? null : deps.clock.monotonicMs() + retryInMs;
      log.told('in', 'not bound', { detail: bind.detail });
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

/** Time, chance and network as the protocol package takes them. */
export function machineOf({ clock, random, connect }: Omit<CarrierDeps, 'logger'>): ClientMachine {
  return {
    clock: { nowMs: () => clock.monotonicMs(), setTimer: (fire, delayMs) => clock.after(delayMs, fire) },
    random: () => random.fraction(),
    ...(connect && { connect }),
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
    // What is more stays in the socket, and with the carrier, until the store has taken what came before it.
    inboundOverflow: 'pause',
    inboundWindow: Math.ceil(inboundMax / profile.binds),
    unbindTimeoutMs,
    // These modes mean nothing without their TLVs, and many carriers take TLVs though their bind_resp does not say so.
    tlvs: profile.longMessage === 'sar' || profile.longMessage === 'payload' ? 'always' : 'negotiated',
  };
}

/** A slow carrier must not be called dead: three times what all windows take at the allowed rate. */
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
