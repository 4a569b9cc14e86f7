/**
 * The simulated carrier: SMPP, MM7 and MM4 servers with the same handsets behind them. A gateway reaches them only over
 * TCP, with the same clients as any carrier.
 */
import { type BindPdu, createServer, type InboundRequest, type PduOf, type Server, status } from '@heliograph/smpp';
import { testNumbers } from './behaviour.ts';
import { createFaultInjection } from './fault-injection.ts';
import type { SandboxFaultInjection } from './faults.ts';
import { createHandsetStore } from './handset-store.ts';
import type { Handsets } from './handsets.ts';
import {
  type Clock,
  createIds,
  type Ids,
  type Logger,
  type Random,
  silentLogger,
  systemClock,
  systemRandom,
} from './machine.ts';
import { createMm4Channel, type Mm4Gateway } from './mm4-channel.ts';
import { type Mm4Server, startMm4Server } from './mm4-server.ts';
import { createMm7Channel, type Mm7Gateway } from './mm7-channel.ts';
import { type Mm7Server, startMm7Server } from './mm7-server.ts';
import { createMmsNetwork } from './mms-network.ts';
import { createMmsOutbox } from './mms-outbox.ts';
import { createMmsWire } from './mms-wire.ts';
import { createNetwork } from './network.ts';
import { createNews, type NewsListener } from './news.ts';
import { createOutbox } from './outbox.ts';
import { createReplies, createSentFrom, sentMessages } from './replies.ts';
import type { Said } from './said.ts';
import { createSmppWire } from './smpp-wire.ts';

/** Unanswered deliver_sm on one session. */
const deliverWindow = 100;
const stopDrainMs = 1_000;
const firstHandsets: readonly string[] = testNumbers.slice(0, 4).map(({ number }) => number);
const isDialled = (number: string): boolean => /^[1-9][0-9]{2,14}$/.test(number);

export interface SandboxOptions {
  /** Address to listen on. */
  host: string;
  /** True: fail if a preferred port is in use. */
  exactPorts?: boolean;
  /** Used if free, else any free port; 0 = any. */
  preferredPort: number;
  /** Credentials of a bind. */
  system_id: string;
  password: string;
  mm7: {
    preferredPort: number;
    /** Credentials of a SubmitReq (HTTP Basic). */
    username: string;
    password: string;
    /** Where reports and messages from handsets are sent; null while that is unknown. */
    gateway(): Mm7Gateway | null;
  };
  mm4: {
    preferredPort: number;
    /** The sandbox carrier's domain. */
    ownDomain: string;
    /** The gateway's domain. */
    peerDomain: string;
    /** The gateway's listener for this carrier; null while there is none. */
    gateway(): Mm4Gateway | null;
  };
  /** The account of a sending number; '' when there is none. Default: all numbers belong to one account. */
  ownerOf?(sender: string): string;
  /** Whether this number can be a handset; any other is no address. Default: 3–15 digits. */
  isHandset?(number: string): boolean;
  /** Handsets that exist before their first message. */
  pinned?: readonly string[];
  /** Called with everything on the wire. */
  said?(message: Said): void;
  clock?: Clock;
  ids?: Ids;
  random?: Random;
  logger?: Logger;
}

export interface Sandbox {
  /** The SMPP port in use. */
  readonly port: number;
  /** The URL for SubmitReq. */
  readonly mm7: { readonly url: string };
  /** The address for MM4_forward.REQ. */
  readonly mm4: { readonly host: string; readonly port: number };
  readonly handsets: Handsets;
  readonly faultInjection: SandboxFaultInjection;
  /** Calls `listener` after something arrived at a handset, left it, or was on the wire for it. */
  onArrival(listener: NewsListener): void;
  /** Answers all waiting callers, now and from now on: call it before the servers close. */
  endWaits(): void;
  /** Unbinds and closes every session, connection and timer. */
  stop(): Promise<void>;
}

/** Rejects only when no port can be listened on. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, clock = systemClock, random = systemRandom, logger = silentLogger } = options;
  const { ids = createIds(clock), pinned = firstHandsets, isHandset = isDialled } = options;
  const news = createNews(clock);
  const handsets = createHandsetStore(clock, pinned);
  const kept = createHandsetStore(clock, pinned);
  for (const store of [handsets, kept]) store.onArrival(news.report);
  const wire = {
    add: (message: Said): void => {
      options.said?.(message);
      const { own = null, handset = null } = message;
      // Traffic of the link itself belongs to no handset.
      if (own !== null && handset !== null) news.report(handset, own);
    },
  };
  const smppWire = createSmppWire(wire);
  const wires = { mm7: createMmsWire(wire, 'mm7'), mm4: createMmsWire(wire, 'mm4') };
  const faultInjection = createFaultInjection({ clock, random, ownerOf: options.ownerOf ?? (() => '') });
  const outbox = createOutbox({ clock, logger, wire: smppWire, sessions: () => server.sessions });
  const mmsOutbox = () => createMmsOutbox({ clock, logger });
  const channels = {
    mm7: createMm7Channel({ ...options.mm7, clock, ids, wire: wires.mm7, outbox: mmsOutbox() }),
    mm4: createMm4Channel({ ...options.mm4, clock, ids, logger, wire: wires.mm4, outbox: mmsOutbox() }),
  };
  const sent = createSentFrom({ clock, ids, kept });
  const replies = createReplies({ clock, random, handsets, outbox, sent, channels });
  const submittedMms = createMmsNetwork({ clock, ids, handsets, replies, faultInjection, isHandset });
  const submitted = createNetwork({ clock, ids, handsets, outbox, replies, faultInjection, isHandset });

  function authenticate(bind: BindPdu): number {
    if (faultInjection.refusesBind()) return status.ESME_RBINDFAIL;
    if (bind.system_id !== options.system_id) return status.ESME_RINVSYSID;
    return bind.password === options.password ? status.ESME_ROK : status.ESME_RINVPASWD;
  }

  const server = createServer(
    { system_id: 'HELIOGRAPH', window: deliverWindow },
    {
      authenticate: (bind) => {
        const answer = authenticate(bind);
        smppWire.bound(bind.command, bind.sequence_number, answer);
        return answer;
      },
      onBound: () => outbox.pump(),
      onRequest: (request) => {
        if (isSubmit(request)) submitted(smppWire.submitted(request));
        else request.respond(status.ESME_RINVCMDID);
      },
    },
    { clock: { nowMs: () => clock.monotonicMs(), setTimer: (fire, delayMs) => clock.after(delayMs, fire) } },
  );

  function dropLinks(): number {
    const sessions = [...server.sessions];
    for (const session of sessions) session.destroy();
    smppWire.dropped(sessions.length);
    return sessions.length;
  }

  const servers = { host, exactPorts: options.exactPorts ?? false, clock, logger, submitted: submittedMms };
  const running: (Mm7Server | Mm4Server)[] = [];
  function endWaits(): void {
    for (const one of [handsets, kept]) one.endWaits();
  }

  async function stop(): Promise<void> {
    outbox.stop();
    faultInjection.stop();
    for (const { outbox } of Object.values(channels)) outbox.stop();
    endWaits();
    await Promise.all([server.close({ drainMs: stopDrainMs }), ...running.map((one) => one.stop())]);
  }
  try {
    const port = await listen(server, options, logger);
    const mm7 = await startMm7Server({ ...options.mm7, ...servers, ids, channel: channels.mm7, wire: wires.mm7 });
    running.push(mm7);
    const mm4 = await startMm4Server({ ...options.mm4, ...servers, channel: channels.mm4, wire: wires.mm4 });
    running.push(mm4);
    const { list, messages } = handsets;
    const medium: Handsets['medium'] = (...params) => handsets.medium(...params) ?? kept.medium(...params);
    const clear: Handsets['clear'] = (isOwn) => {
      for (const store of [handsets, kept]) store.clear(isOwn);
    };
    return {
      port,
      mm7,
      mm4,
      endWaits,
      stop,
      handsets: { list, messages, sent: sentMessages(kept), medium, clear, reply: replies.reply },
      faultInjection: { ...faultInjection, dropLinks },
      onArrival: news.listen,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function isSubmit(request: InboundRequest): request is InboundRequest<PduOf<'submit_sm'>> {
  return request.pdu.command === 'submit_sm';
}

async function listen(
  server: Server,
  { host, preferredPort, exactPorts = false }: SandboxOptions,
  logger: Logger,
): Promise<number> {
  try {
    return (await server.listen(preferredPort, host)).port;
  } catch (err) {
    if (preferredPort === 0 || exactPorts) throw err;
    const { port } = await server.listen(0, host);
    logger.info({ preferredPort, port }, 'the sandbox carrier took another port: the usual one is in use');
    return port;
  }
}
