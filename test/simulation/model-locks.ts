/**
 * Locks of the modelled server: advisory ones, shared or not, and one a table that stands for the locks of its rows. A session that
 * waits is served in order, as PostgreSQL does it.
 */

export interface LockOwner {
  readonly pid: number;
}

interface Held {
  owner: LockOwner;
  shared: boolean;
  /** Until the session ends, or only its transaction. */
  of: 'session' | 'transaction';
}

interface Waiting extends Held {
  granted: () => void;
}

export class Locks {
  readonly #held = new Map<string, Held[]>();
  readonly #waiting = new Map<string, Waiting[]>();

  /** True when it has it now. */
  tryTake(key: string, wanted: Held): boolean {
    const held = this.#held.get(key) ?? [];
    const others = held.filter(({ owner }) => owner !== wanted.owner);
    const own = held.some(({ owner, shared }) => owner === wanted.owner && (!shared || wanted.shared));
    const isInLine = (this.#waiting.get(key)?.length ?? 0) > 0;
    const isFree = others.every(({ shared }) => shared && wanted.shared) && (!isInLine || own);
    if (
      isFree &&
      !held.some(({ owner, shared, of }) => owner === wanted.owner && shared === wanted.shared && of === wanted.of)
    )
      this.#held.set(key, [...held, wanted]);
    return isFree;
  }

  /** The returned function gives up waiting. */
  wait(key: string, wanted: Waiting): () => void {
    const line = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, [...line, wanted]);
    return () => {
      this.#waiting.set(
        key,
        (this.#waiting.get(key) ?? []).filter((one) => one !== wanted),
      );
      this.#serve(key);
    };
  }

  release(owner: LockOwner, of: 'session' | 'transaction' | 'all', only?: string): void {
    for (const [key, held] of this.#held) {
      if (only !== undefined && key !== only) continue;
      const left = held.filter((one) => one.owner !== owner || (of !== 'all' && one.of !== of));
      if (left.length === held.length) continue;
      if (left.length === 0) this.#held.delete(key);
      else this.#held.set(key, left);
      this.#serve(key);
    }
  }

  holders(key: string): LockOwner[] {
    return (this.#held.get(key) ?? []).map(({ owner }) => owner);
  }

  #serve(key: string): void {
    for (;;) {
      const [first, ...rest] = this.#waiting.get(key) ?? [];
      if (first === undefined) return;
      this.#waiting.set(key, []);
      const has = this.tryTake(key, first);
      this.#waiting.set(key, has ? rest : [first, ...rest]);
      if (!has) return;
      first.granted();
    }
  }
}
