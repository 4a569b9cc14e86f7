/**
 * The due times of one session, in milliseconds on the caller's clock; Infinity = not running.
 * A plain record: session.ts sets the times and decides what happens when one has come.
 */

const never = Number.POSITIVE_INFINITY;

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
