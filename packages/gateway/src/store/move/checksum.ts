/** The checksum of a table: the same on both engines and in any order of its rows. */
import { createHash } from 'node:crypto';
import type { Row } from './tables.ts';

export interface Sum {
  rows: number;
  /** 32 hex digits. */
  checksum: string;
}

/** The sum of the rows' hashes: detects a missing, doubled or changed row, and ignores the order. */
export class TableSum {
  #rows = 0;
  #sum = 0n;

  add(row: Row): void {
    this.#rows += 1;
    const hash = createHash('sha256').update(JSON.stringify(row)).digest();
    this.#sum += hash.readBigUInt64BE(0) * (1n << 64n) + hash.readBigUInt64BE(8);
  }

  total(): Sum {
    return { rows: this.#rows, checksum: BigInt.asUintN(128, this.#sum).toString(16).padStart(32, '0') };
  }
}
