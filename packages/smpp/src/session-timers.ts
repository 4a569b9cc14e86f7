/** The timers of one session: when it is next due, and when its peer was last heard. */
import type { OpenRequest } from './outlet.ts';

/** When a peer was last heard, and whether anything came since the last enquire_link. Any octet is a sign of life. */
export class SignsOfLife {
  heardAtMs: number;
  /** When an enquire_link of either side was last answered. */
  linkAtMs: number | undefined;
  /** A request of the caller was answered with ESME_ROK, or a request of the peer was passed to it. */
  hasCarried = false;
  #enquireLink: OpenRequest | undefined;
  /** The clock may show the same millisecond for sending and hearing. */
  #receivedSince = false;

  constructor(nowMs: number) {
    this.heardAtMs = nowMs;
  }

  received(nowMs: number): void {
    this.heardAtMs = nowMs;
    this.#receivedSince = true;
  }

  enquired(enquireLink: OpenRequest): void {
    this.#enquireLink = enquireLink;
    this.#receivedSince = false;
  }

  /** An enquire_link was sent, and nothing has come since. */
  get isSilent(): boolean {
    return this.#enquireLink !== undefined && !this.#receivedSince;
  }

  /** Takes the open enquire_link, which is no longer needed. */
  takeEnquireLink(): OpenRequest | undefined {
    const open = this.#enquireLink;
    this.#enquireLink = undefined;
    return open;
  }
}

const never = Number.POSITIVE_INFINITY;

/**
 * The due times of one session, in milliseconds on the caller's clock; Infinity = not running. A plain record:
 * session.ts sets and handles them.
 */
export class SessionTimers {
  /** the bind, sent or expected, is overdue */
  start = never;
  /** the PDU that has begun is overdue */
  pdu = never;
  /** check whether the oldest request has waited too long */
  response = never;
  /** check whether the peer has been silent too long */
  link = never;
  /** check whether only enquire_link has been exchanged for too long */
  activity = never;
  /** the next step of an unbind, or of a close, is due */
  ending = never;

  next(): number {
    return Math.min(this.start, this.pdu, this.response, this.link, this.activity, this.ending);
  }

  stop(): void {
    this.start = this.pdu = this.response = this.link = this.activity = this.ending = never;
  }
}
