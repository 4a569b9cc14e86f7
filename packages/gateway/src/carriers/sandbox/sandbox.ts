/**
 * The sandbox carrier: SMPP, MM7 and MM4 servers on loopback with the same handsets behind them. The gateway reaches them
 * over TCP with the same clients as any carrier; nothing here may hand a message to the gateway, or take one from it, in
 * any other way.
 */
import { createServer, type InboundRequest, type PduOf, type Server, status } from '@heliograph/smpp';
import type { Clock, Random } from '../../domain/clock.ts';
import { createIds } from '../../domain/ids.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Handsets } from '../../domain/sandbox.ts';
import { createHandsetStore } from './handset-store.ts';
import { type Mm4Server, startMm4Server } from './mm4-server.ts';
import { createMm4Way, type Mm4Gateway } from './mm4-way.ts';
import { type Mm7Server, startMm7Server } from './mm7-server.ts';
import { createMm7Way, type Mm7Gateway } from './mm7-way.ts';
import { createMmsNetwork } from './mms-network.ts';
import { createMmsOutbox } from './mms-outbox.ts';
import { createNetwork } from './network.ts';
import { createOutbox } from './outbox.ts';
import { createReplies } from './replies.ts';

/** deliver_sm without an answer on one session. */
const deliverWindow = 100;
const stopDrainMs = 1_000;

export interface SandboxCarrierOptions {
  /** Loopback address to listen on. */
  host: string;
  /** Taken when free, else any free port; 0 = any. */
  preferredPort: number;
  /** What a bind must present. */
  system_id: string;
  password: string;
  mm7: {
    preferredPort: number;
    /** What a SubmitReq must present (HTTP Basic). */
    username: string;
    password: string;
    /** Where reports and messages from handsets go; null while that is not known. */
    gateway(): Mm7Gateway | null;
  };
  mm4: {
    preferredPort: number;
    /** The sandbox carrier's domain. */
    ownDomain: string;
    /** The gateway's. */
    peerDomain: string;
    /** The gateway's listener for this carrier; null while there is none. */
    gateway(): Mm4Gateway | null;
  };
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface SandboxCarrier {
  /** The SMPP port in use. */
  readonly port: number;
  /** Where SubmitReq goes. */
  readonly mm7: { readonly url: string };
  /** Where MM4_forward.REQ goes. */
  readonly mm4: { readonly host: string; readonly port: number };
  readonly handsets: Handsets;
  /** Answers everyone who waits for a message, now and from now on: for when the doors are about to close. */
  endWaits(): void;
  /** Unbinds and closes every session, connection and timer. */
  stop(): Promise<void>;
}

/** Rejects only when no port at all can be listened on. */
export async function startSandboxCarrier(options: SandboxCarrierOptions): Promise<SandboxCarrier> {
  const { clock, random, logger, host } = options;
  const ids = createIds(clock, random);
  const handsets = createHandsetStore(clock);
  const outbox = createOutbox({ clock, logger, sessions: () => server.sessions });
  const mmsOutbox = () => createMmsOutbox({ clock, logger });
  const ways = {
    mm7: createMm7Way({ ...options.mm7, clock, ids, outbox: mmsOutbox() }),
    mm4: createMm4Way({ ...options.mm4, clock, ids, logger, outbox: mmsOutbox() }),
  };
  const replies = createReplies({ clock, random, handsets, outbox, ways });
  const submittedMms = createMmsNetwork({ clock, ids, handsets, replies });
  const submitted = createNetwork({ clock, ids, handsets, outbox, replies });
  const server = createServer(
    { system_id: 'HELIOGRAPH', window: deliverWindow },
    {
      authenticate: (bind) => {
        if (bind.system_id !== options.system_id) return status.ESME_RINVSYSID;
        return bind.password === options.password ? status.ESME_ROK : status.ESME_RINVPASWD;
      },
      onBound: () => outbox.pump(),
      onRequest: (request) => {
        if (isSubmit(request)) submitted(request);
        else request.respond(status.ESME_RINVCMDID);
      },
    },
    { clock: { nowMs: () => clock.monotonicMs(), setTimer: (fire, delayMs) => clock.after(delayMs, fire) } },
  );
  const servers = { host, clock, logger, submitted: submittedMms };
  const running: (Mm7Server | Mm4Server)[] = [];
  async function stop(): Promise<void> {
    outbox.stop();
    for (const { outbox } of Object.values(ways)) outbox.stop();
    handsets.endWaits();
    await Promise.all([server.close({ drainMs: stopDrainMs }), ...running.map((one) => one.stop())]);
  }
  try {
    const port = await listen(server, options);
    const mm7 = await startMm7Server({ ...options.mm7, ...servers, ids, way: ways.mm7 });
    running.push(mm7);
    const mm4 = await startMm4Server({ ...options.mm4, ...servers, way: ways.mm4 });
    running.push(mm4);
    const { list, messages, medium, endWaits } = handsets;
    return { port, mm7, mm4, handsets: { list, messages, medium, reply: replies.reply }, endWaits, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function isSubmit(request: InboundRequest): request is InboundRequest<PduOf<'submit_sm'>> {
  return request.pdu.command === 'submit_sm';
}

async function listen(server: Server, { host, preferredPort, logger }: SandboxCarrierOptions): Promise<number> {
  try {
    return (await server.listen(preferredPort, host)).port;
  } catch (err) {
    if (preferredPort === 0) throw err;
    const { port } = await server.listen(0, host);
    logger.info({ preferredPort, port }, 'the sandbox carrier took another port: the usual one is in use');
    return port;
  }
}
