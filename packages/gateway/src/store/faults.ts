/** Errors of a store. */

/**
 * Try again later: any write may be retried, `accept` with an idempotency key. Nothing was stored, unless `inDoubt`:
 * then this is unknown.
 */
export class StoreUnavailable extends Error {
  readonly reason: 'full' | 'busy' | 'down';
  readonly inDoubt: boolean;
  constructor(kind: 'full' | 'busy' | 'down', message: string, { inDoubt = false } = {}) {
    super(message);
    this.name = 'StoreUnavailable';
    this.reason = kind;
    this.inDoubt = inDoubt;
  }
}

/** Another node owns what this write belongs to, or no node does: nothing was stored. */
export class OwnedElsewhere extends StoreUnavailable {
  constructor(name: string) {
    super('busy', `this node does not have ${name}`);
    this.name = 'OwnedElsewhere';
  }
}

/** The store must not be used (weak durability setting, second node, newer schema): report it and exit with code 78. */
export class StoreRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreRefused';
  }
}

/**
 * The disk failed under a commit. The process must exit at once: no caller may be answered afterwards (never retry
 * fsync).
 */
export class StoreBroken extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreBroken';
  }
}
