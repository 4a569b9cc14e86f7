/**
 * How many PDUs the sessions of one owner handle in one turn of the event loop. Further PDUs wait, at last in the
 * peer's socket, so that one busy peer cannot starve the rest of the process. Never drops anything.
 */

/** Some milliseconds of work. */
const PDUS_PER_TURN = 128;

/** Handles at most this many PDUs and returns their number. */
export type Work = (pdusMax: number) => number;

export class ReadShare {
  readonly #pdusPerTurn: number;
  #left: number;
  #waiting = new Set<Work>();
  #isScheduled = false;

  constructor(pdusPerTurn: number = PDUS_PER_TURN) {
    this.#pdusPerTurn = pdusPerTurn;
    this.#left = pdusPerTurn;
  }

  /** Lets `work` use the rest of this turn, unless others are already waiting. */
  use(work: Work): void {
    if (this.#left > 0 && this.#waiting.size === 0) this.#run(work, this.#left);
    else this.wait(work);
  }

  /** Calls `work` in a later turn, once however often it was requested. */
  wait(work: Work): void {
    this.#waiting.add(work);
    this.#schedule();
  }

  leave(work: Work): void {
    this.#waiting.delete(work);
  }

  #run(work: Work, pdusMax: number): void {
    this.#left -= work(pdusMax);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#left = this.#pdusPerTurn;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      // Each gets a share, or the first would take every whole turn.
      const each = Math.max(1, Math.floor(this.#pdusPerTurn / Math.max(1, waiting.length)));
      for (const work of waiting) this.#run(work, each);
    });
  }
}
