/**
 * The sandbox carrier: an SMPP server on loopback with handsets behind it. The gateway reaches it over TCP with the same
 * client as any carrier; nothing here may hand a text to the gateway, or take one from it, in any other way.
 */
import { createServer, type InboundRequest, type PduOf, type Server, status } from '@heliograph/smpp';
import type { Clock, Random } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Handsets } from '../../domain/sandbox.ts';
import { createHandsetStore } from './handset-store.ts';
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
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface SandboxCarrier {
  /** The port in use. */
  readonly port: number;
  readonly handsets: Handsets;
  /** Answers everyone who waits for a text, now and from now on: for when the doors are about to close. */
  endWaits(): void;
  /** Unbinds and closes every session and timer. */
  stop(): Promise<void>;
}

/** Rejects only when no port at all can be listened on. */
export async function startSandboxCarrier(options: SandboxCarrierOptions): Promise<SandboxCarrier> {
  const { clock, random, logger } = options;
  const handsets = createHandsetStore(clock);
  const outbox = createOutbox({ clock, logger, sessions: () => server.sessions });
  const replies = createReplies({ clock, random, handsets, outbox });
  const submitted = createNetwork({ clock, random, handsets, outbox, replies });
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
  const port = await listen(server, options);
  return {
    port,
    handsets: { list: handsets.list, messages: handsets.messages, reply: replies.reply },
    endWaits: handsets.endWaits,
    stop: async () => {
      outbox.stop();
      handsets.endWaits();
      await server.close({ drainMs: stopDrainMs });
    },
  };
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
