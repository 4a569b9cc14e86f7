/**
 * The modelled carrier: a message centre over SMPP that notes what it takes and from whom. It reads and writes PDUs by
 * itself (`props/pdu-bytes.ts`).
 */
import { createSenderWatch } from '../props/cluster-rules.ts';
import {
  commandIds,
  commandStatuses,
  cString,
  cStringAt,
  headerOctets,
  pduBytes,
  pduOctetsAt,
  readSubmitSm,
  responseBit,
} from '../props/pdu-bytes.ts';
import type { Chance } from './chance.ts';
import type { Peer, PeerConnection, PeerHandlers } from './model-socket.ts';
import type { Scheduler } from './scheduler.ts';

export interface CarrierBehaviour {
  answerMs: { from: number; to: number };
  /** Share of submissions that it refuses for now. */
  throttles: number;
  /** Share of submissions after which the connection breaks, with or without an answer on its way. */
  breaks: number;
}

export const goodBehaviour: Readonly<CarrierBehaviour> = {
  answerMs: { from: 5, to: 400 },
  throttles: 0,
  breaks: 0,
};

export interface Taken {
  carrier: string;
  to: string;
  from: string;
  atMs: number;
}

export class ModelCarrier {
  readonly behaviour: CarrierBehaviour = { ...goodBehaviour };
  /** Every submission that it accepted. */
  readonly taken: Taken[] = [];
  readonly copies = new Map<string, number>();
  staleSubmits = 0;
  isAway = false;
  sessionsEnded = 0;
  readonly #scheduler: Scheduler;
  readonly #chance: Chance;
  readonly #senders = createSenderWatch();
  #nextBind = 1;
  #nextId = 1;

  constructor(scheduler: Scheduler, chance: Chance) {
    this.#scheduler = scheduler;
    this.#chance = chance;
  }

  get peer(): Peer {
    return { opened: (connection) => (this.isAway ? null : this.#serve(connection)) };
  }

  #serve(connection: PeerConnection): PeerHandlers {
    const session = { systemId: '', bind: 0, isOpen: true };
    let rest = Buffer.alloc(0);
    return {
      data: (bytes) => {
        rest = Buffer.concat([rest, bytes]);
        for (let length = pduOctetsAt(rest, 0); length > 0 && session.isOpen; length = pduOctetsAt(rest, 0)) {
          const pdu = rest.subarray(0, length);
          rest = rest.subarray(length);
          this.#handle(pdu, session, connection);
        }
      },
      closed: () => {
        if (session.isOpen) this.sessionsEnded += 1;
        session.isOpen = false;
      },
    };
  }

  #handle(pdu: Buffer, session: { systemId: string; bind: number; isOpen: boolean }, connection: PeerConnection): void {
    const command = pdu.readUInt32BE(4);
    const answer = (status: number, body: Buffer = Buffer.alloc(0)): void =>
      connection.write(pduBytes((command | responseBit) >>> 0, status, pdu.readUInt32BE(12), body));
    switch (command) {
      case commandIds.bind_transceiver:
        session.systemId = cStringAt(pdu, headerOctets);
        session.bind = this.#nextBind++;
        answer(commandStatuses.ESME_ROK, cString('model'));
        return;
      case commandIds.submit_sm:
        this.#submitted(pdu, session, answer, connection);
        return;
      case commandIds.enquire_link:
      case commandIds.unbind:
        answer(commandStatuses.ESME_ROK);
    }
  }

  #submitted(
    pdu: Buffer,
    session: { systemId: string; bind: number; isOpen: boolean },
    answer: (status: number, body?: Buffer) => void,
    connection: PeerConnection,
  ): void {
    const { behaviour } = this;
    if (this.#senders.submitted(session.systemId, session.bind)) this.staleSubmits += 1;
    const { source_addr: from, destination_addr: to } = readSubmitSm(pdu, 0, pdu.length)!;
    if (this.#chance.happens(behaviour.throttles)) {
      answer(commandStatuses.ESME_RTHROTTLED);
      return;
    }
    this.taken.push({ carrier: session.systemId, to, from, atMs: this.#scheduler.nowMs });
    this.copies.set(to, (this.copies.get(to) ?? 0) + 1);
    const id = (this.#nextId++).toString(16);
    this.#scheduler.at(this.#chance.between(behaviour.answerMs.from, behaviour.answerMs.to), () => {
      if (session.isOpen) answer(commandStatuses.ESME_ROK, cString(id));
    });
    if (this.#chance.happens(behaviour.breaks)) this.#scheduler.at(this.#chance.between(0, 20), () => connection.cut());
  }
}
