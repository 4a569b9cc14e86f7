/** Damage to a store's files that no commit caused: the error names the backup. */
import { StoreBroken, StoreRefused } from './faults.ts';

/** A file of the store is damaged, missing or unusable: exit with code 78. Nothing was changed. */
export class StoreDamaged extends StoreRefused {
  constructor(message: string) {
    super(message);
    this.name = 'StoreDamaged';
  }
}

/** The same, found during use: the process must end at once, as when the disk fails. */
export class StoreCorrupt extends StoreBroken {
  constructor(message: string) {
    super(message);
    this.name = 'StoreCorrupt';
  }
}
