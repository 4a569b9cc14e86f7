/**
 * A message centre that shares no code with the gateway: its SMPP is the npm package smpp. It takes every submission, sends a
 * receipt for each, and replies of handsets, until they are acknowledged, on whatever session of the carrier is open.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

/** The part of the untyped package that is used. */
interface Pdu {
  command_status: number;
  system_id: string;
  source_addr: string;
  destination_addr: string;
  short_message: { message: string };
  response(fields?: object): Pdu;
}
interface Session {
  on(event: string, listener: (pdu: Pdu) => void): void;
  send(pdu: Pdu): void;
  deliver_sm(fields: object, onAnswer: (answer: Pdu) => void): void;
  close(): void;
  destroy(): void;
}
interface Server {
  listen(port: number, host: string): void;
  once(event: string, listener: () => void): void;
  close(): void;
  address(): { port: number };
}
const smpp = createRequire(import.meta.url)('smpp') as { createServer(onSession: (session: Session) => void): Server };

/** A submit_sm that was read. */
export interface Arrival {
  to: string;
  text: string;
  /** The system id of its session. */
  carrier: string;
  /** Its session: the later one was bound, the higher. */
  session: number;
  /** ms, by `performance.now()`. */
  at: number;
}

/** A deliver_sm that was acknowledged. */
export interface Handed {
  /** Of the acknowledgement; ms, by `performance.now()`. */
  at: number;
  /** How often it was sent: what was sent once may be stored once only. */
  tries: number;
}

interface Bound {
  session: Session;
  /** Its system id. */
  carrier: string;
  /** Called when the session closes, by what waits for an answer on it. */
  unanswered: Set<() => void>;
}

export interface Carrier {
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  /** Receipts and replies that wait for their acknowledgement. */
  waiting(): number;
  /** A handset says something; resolves when a gateway has acknowledged it. */
  say(from: string, to: string, text: string): Promise<Handed>;
  stop(): Promise<void>;
}

const answerMs = [2, 12] as const;
const receiptMs = 300;
const acknowledgeMsMax = 5_000;
const againMs = 200;

export async function startCarrier(): Promise<Carrier> {
  const arrivals: Arrival[] = [];
  const open = new Map<number, Bound>();
  let sessions = 0;
  let messages = 0;
  let waiting = 0;
  let over = false;

  /** Sends it on one session after another of the carrier, of any where none is named. */
  async function hand(fields: object, carrier?: string): Promise<Handed> {
    waiting += 1;
    try {
      for (let tries = 0; !over; await wait(againMs)) {
        const found = [...open.values()].filter((one) => carrier === undefined || one.carrier === carrier);
        const chosen = found[Math.floor(Math.random() * found.length)];
        if (chosen === undefined) continue;
        tries += 1;
        if (await isAcknowledged(chosen, fields)) return { at: performance.now(), tries };
      }
      return { at: Number.POSITIVE_INFINITY, tries: 0 };
    } finally {
      waiting -= 1;
    }
  }

  function take(session: Session, carrier: string, place: number, pdu: Pdu): void {
    const { destination_addr: to, source_addr: from } = pdu;
    arrivals.push({ to, text: pdu.short_message.message, carrier, session: place, at: performance.now() });
    messages += 1;
    const id = `c${messages}`;
    const [least, most] = answerMs;
    setTimeout(() => session.send(pdu.response({ message_id: id })), least + Math.random() * (most - least));
    const receipt = `id:${id} sub:001 dlvrd:001 submit date:2611300000 done date:2611300000 stat:DELIVRD err:000 text:`;
    const fields = { esm_class: 4, source_addr: to, destination_addr: from, short_message: Buffer.from(receipt) };
    setTimeout(() => void hand(fields, carrier), receiptMs);
  }

  const server = smpp.createServer((session) => {
    session.on('error', () => {});
    session.on('bind_transceiver', (bind) => {
      const [place, carrier] = [sessions++, bind.system_id];
      const bound: Bound = { session, carrier, unanswered: new Set() };
      open.set(place, bound);
      session.on('close', () => {
        open.delete(place);
        for (const giveUp of bound.unanswered) giveUp();
      });
      session.on('submit_sm', (pdu) => take(session, carrier, place, pdu));
      session.send(bind.response({ system_id: 'outside' }));
    });
    session.on('enquire_link', (pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu) => {
      session.send(pdu.response());
      session.close();
    });
  });
  const listening = new Promise<void>((resolve) => server.once('listening', resolve));
  server.listen(0, '127.0.0.1');
  await listening;
  return {
    port: server.address().port,
    arrivals,
    waiting: () => waiting,
    say: (from, to, text) =>
      hand({ esm_class: 0, source_addr: from, destination_addr: to, short_message: Buffer.from(text) }),
    async stop() {
      over = true;
      for (const { session } of open.values()) session.destroy();
      const closed = once(server as unknown as NodeJS.EventEmitter, 'close');
      server.close();
      await closed;
    },
  };
}

function isAcknowledged({ session, unanswered }: Bound, fields: object): Promise<boolean> {
  return new Promise((resolve) => {
    const giveUp = () => decided(false);
    const timer = setTimeout(giveUp, acknowledgeMsMax);
    function decided(answer: boolean): void {
      clearTimeout(timer);
      unanswered.delete(giveUp);
      resolve(answer);
    }
    unanswered.add(giveUp);
    session.deliver_sm(fields, ({ command_status }) => decided(command_status === 0));
  });
}
