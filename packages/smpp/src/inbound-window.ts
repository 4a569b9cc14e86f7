/** The peer's requests that wait for our answer: how many there are, and whether one more is taken. Answers none. */
import { overflowOf, type Role, type SessionLimits } from './session-types.ts';

export class InboundWindow {
  count = 0;
  readonly #max: number;
  readonly #pauses: boolean;
  readonly #refusal: number;

  constructor(role: Role, { inboundWindow, inboundOverflow }: SessionLimits) {
    this.#max = inboundWindow;
    this.#pauses = inboundOverflow === 'pause';
    this.#refusal = inboundOverflow === 'pause' ? overflowOf(role) : inboundOverflow;
  }

  /** Read no more until this is false again. */
  get pausesReading(): boolean {
    return this.#pauses && this.count >= this.#max;
  }

  /** The command_status with which one more is refused; undefined when it is taken. */
  refusal(isEnding: boolean): number | undefined {
    return isEnding || (!this.#pauses && this.count >= this.#max) ? this.#refusal : undefined;
  }
}
