/**
 * When a peer was last heard, and whether anything came since it was asked for a sign. Any octet is proof of life, an answer or
 * not. Asks nobody itself.
 */
import type { OpenRequest } from './request-window.ts';

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
