/**
 * A message centre that records what arrives and misbehaves on request, for runs that count messages: it has no
 * handsets, accepts any bind and any destination, and keeps one number for each destination.
 */
import { createServer, digitsOf, type InboundRequest, type PduOf, readContent, status } from '@heliograph/smpp';
import { type Clock, systemClock } from './machine.ts';

/** Its behaviour; every field may be changed while it runs. */
export interface RecorderBehaviour {
  /** Wait before each submit_sm_resp. */
  answerAfterMs: number;
  /** Closes the connection at every Nth submit_sm without answering it; 0 = never. */
  dropEvery: number;
  /** Reads submit_sm and answers none. */
  silent: boolean;
}

export interface Recorder {
  readonly port: number;
  readonly behaviour: RecorderBehaviour;
  /** Accepted copies by destination. */
  readonly copies: ReadonlyMap<string, number>;
  /** Number of submit_sm accepted so far. */
  taken(): number;
  /** Closes every connection now, without unbinding. */
  dropSessions(): void;
  stop(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. Calls `arrived` for each accepted submit_sm. */
export async function startRecorder(
  arrived: (destination: string, text: string) => void = () => {},
  clock: Clock = systemClock,
): Promise<Recorder> {
  const behaviour: RecorderBehaviour = { answerAfterMs: 0, dropEvery: 0, silent: false };
  const copies = new Map<string, number>();
  let submits = 0;
  let taken = 0;
  let unanswered = 0;

  function take(pdu: PduOf<'submit_sm'>): void {
    const destination = digitsOf(pdu.destination_addr);
    taken++;
    copies.set(destination, (copies.get(destination) ?? 0) + 1);
    arrived(destination, readContent(pdu, 'gsm').text ?? '');
  }

  function submitted(pdu: PduOf<'submit_sm'>, request: InboundRequest, drop: () => void): void {
    submits++;
    const isDrop = behaviour.dropEvery > 0 && submits % behaviour.dropEvery === 0;
    if (isDrop || behaviour.silent) {
      // A client without an answer cannot know whether the message was accepted: every second one is.
      if (unanswered++ % 2 === 0) take(pdu);
      if (isDrop) drop();
      return;
    }
    take(pdu);
    const message_id = taken.toString(16).padStart(8, '0');
    const answer = (): void => void request.respond(status.ESME_ROK, { message_id });
    if (behaviour.answerAfterMs === 0) answer();
    else clock.after(behaviour.answerAfterMs, answer);
  }

  const server = createServer(
    { system_id: 'recorder', strict: false },
    {
      authenticate: () => status.ESME_ROK,
      onRequest: (request, session) => {
        const { pdu } = request;
        if (pdu.command === 'submit_sm') submitted(pdu, request, () => session.destroy());
        else request.respond(status.ESME_RINVCMDID);
      },
    },
  );
  const dropSessions = (): void => {
    for (const session of server.sessions) session.destroy();
  };
  const { port } = await server.listen(0);
  return {
    port,
    behaviour,
    copies,
    taken: () => taken,
    dropSessions,
    stop: async () => {
      dropSessions();
      await server.close({ drainMs: 0 });
    },
  };
}
