/** What one session keeps of time: when it has something to do next, and when its peer was last heard. */
import type { OpenRequest } from './windows.ts';

/**
 * When a peer was last heard, and whether anything came since it was asked for a sign. Any octet is proof of life, an
 * answer or not. Asks nobody itself.
 */
export class SignsOfLife {
  heardAtMs: number;
  /** When an enquire_link of either side was last answered. */
  linkAtMs: number | undefined;
  /** A request of the caller was answered with ESME_ROK, or one of the peer was handed to it. */
  hasCarried = false;
  #asked: OpenRequest | undefined;
  /** A clock may show the same millisecond for asking and hearing. */
  #heardSince = false;

  constructor(nowMs: number) {
    this.heardAtMs = nowMs;
  }

  heard(nowMs: number): void {
    this.heardAtMs = nowMs;
    this.#heardSince = true;
  }

  asked(enquireLink: OpenRequest): void {
    this.#asked = enquireLink;
    this.#heardSince = false;
  }

  /** It was asked, and nothing came since. */
  get isSilent(): boolean {
    return this.#asked !== undefined && !this.#heardSince;
  }

  /** The enquire_link that was open, which is needed no more. */
  takeAsked(): OpenRequest | undefined {
    const asked = this.#asked;
    this.#asked = undefined;
    return asked;
  }
}

const never = Number.POSITIVE_INFINITY;

/**
 * The due times of one session, in milliseconds on the caller's clock; Infinity = not running.
 * A plain record: session.ts sets the times and decides what happens when one has come.
 */
export class SessionTimers {
  /** the bind, sent or awaited, must have come */
  start = never;
  /** the PDU that has begun must be complete */
  pdu = never;
  /** look whether the oldest request has waited too long */
  response = never;
  /** look whether the peer has been silent too long */
  link = never;
  /** look whether nothing but enquire_link has passed for too long */
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
