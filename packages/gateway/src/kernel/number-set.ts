/**
 * An exact set of telephone numbers in little memory: open addressing with linear probing in one array of doubles,
 * which represent numbers of up to 15 digits (ITU-T E.164) exactly. 11 to 23 bytes per number.
 */

export interface NumberSet {
  readonly size: number;
  has(number: number): boolean;
  /** False when it was already in the set. */
  add(number: number): boolean;
  /** False when it was not in the set. */
  delete(number: number): boolean;
}

const slotsMin = 8;
const numberMax = 999_999_999_999_999;
/** Marks a free slot; no telephone number is 0. */
const free = 0;

/** An empty set. Takes whole numbers from 1 to 15 digits; anything else is a RangeError on `add` and never a member. */
export function createNumberSet(): NumberSet {
  let slots = new Float64Array(slotsMin);
  let size = 0;

  /** The slot of the number, or the free slot where it would go. */
  function find(number: number): number {
    const last = slots.length - 1;
    let at = hash(number) & last;
    while (slots[at] !== free && slots[at] !== number) at = (at + 1) & last;
    return at;
  }

  function grow(): void {
    const before = slots;
    slots = new Float64Array(before.length * 2);
    for (const number of before) if (number !== free) slots[find(number)] = number;
  }

  return {
    get size() {
      return size;
    },
    has: (number) => number !== free && slots[find(number)] === number,
    add: (number) => {
      if (!Number.isInteger(number) || number < 1 || number > numberMax) {
        throw new RangeError('not a whole number of 1 to 15 digits');
      }
      if (slots[find(number)] === number) return false;
      // At most two thirds full: probes stay short, and a search always finds a free slot to stop at.
      if ((size + 1) * 3 > slots.length * 2) grow();
      slots[find(number)] = number;
      size++;
      return true;
    },
    delete: (number) => {
      let hole = find(number);
      if (number === free || slots[hole] !== number) return false;
      const last = slots.length - 1;
      // Moves displaced numbers back into the hole, so that no later search stops too early.
      for (let at = (hole + 1) & last; slots[at] !== free; at = (at + 1) & last) {
        const pushed = slots[at]!;
        const home = hash(pushed) & last;
        if (((at - home) & last) < ((at - hole) & last)) continue;
        slots[hole] = pushed;
        hole = at;
      }
      slots[hole] = free;
      size--;
      return true;
    },
  };
}

/** Spreads neighbours (numbers come in blocks) over all 32 bits; multipliers of MurmurHash3's finaliser. */
function hash(number: number): number {
  let h = ((number % 4_294_967_296) | 0) ^ Math.imul((number / 4_294_967_296) | 0, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
