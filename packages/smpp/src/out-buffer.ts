/**
 * Octets on their way out: PDUs are written one behind the other into a slab and taken together, one write per flush.
 * What was taken is never written to again, so a socket may keep it. Knows nothing of what the octets mean.
 */

/** Slabs grow with use: an idle session keeps little, a busy one allocates seldom. */
const SLAB_OCTETS_MIN = 2_048;
const SLAB_OCTETS_MAX = 65_536;

export class OutBuffer {
  /** The slab being written; valid until the next `reserve`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(0);
  /** Where the next octet goes in `bytes`. */
  position = 0;
  #start = 0;
  #full: Buffer[] = [];
  #fullOctets = 0;
  #taken = 0;

  /** Octets written and not yet taken. */
  get length(): number {
    return this.#fullOctets + this.position - this.#start;
  }

  /** Octets taken since the beginning. */
  get taken(): number {
    return this.#taken;
  }

  /** Makes room for `octets` more at `position`. */
  reserve(octets: number): void {
    if (this.bytes.length - this.position >= octets) return;
    if (this.position > this.#start) {
      this.#full.push(this.bytes.subarray(this.#start, this.position));
      this.#fullOctets += this.position - this.#start;
    }
    this.bytes = Buffer.allocUnsafeSlow(
      Math.max(octets, SLAB_OCTETS_MIN, Math.min(SLAB_OCTETS_MAX, this.bytes.length * 2)),
    );
    this.position = 0;
    this.#start = 0;
  }

  /** Appends octets as they are. */
  append(octets: Uint8Array): void {
    this.reserve(octets.length);
    this.bytes.set(octets, this.position);
    this.position += octets.length;
  }

  /** Forgets what was written and not taken. */
  discard(): void {
    this.#start = this.position;
    this.#full = [];
    this.#fullOctets = 0;
  }

  /** All octets not yet taken, in order; they are the caller's from here on. */
  take(): Buffer {
    const last = this.bytes.subarray(this.#start, this.position);
    this.#taken += this.length;
    this.#start = this.position;
    if (this.#full.length === 0) return last;
    const all = Buffer.concat([...this.#full, last]);
    this.#full = [];
    this.#fullOctets = 0;
    return all;
  }
}
