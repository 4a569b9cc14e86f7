/**
 * Lends and borrows the rates of carriers between cells. In each cell only the gateway that sends over a carrier does: it alone
 * has a share of it. A cell that is short asks the others in turn; one that does not answer in half a second is passed by.
 */
import type { Clock } from '../../kernel/clock.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';
import { createRateLeases, type RateLeases } from './rate-leases.ts';
import { createLentShare, type LentShare, leaseMs, type RateFigures, type RateLoan } from './rate-share.ts';

/** Several times within a lease: a lost answer does not end the lending. */
const askEveryMs = 500;
const answerMs = 500;

export interface OpenShare extends LentShare {
  /** This gateway sends no more over the carrier. */
  close(): void;
}

export interface RateLending {
  /** For a carrier that this gateway begins to send over; null when it has its fixed rate alone. */
  open(record: CarrierRecord): OpenShare | null;
  /** A cell asks. */
  lend(cell: string, carrierId: string, wanted: number): RateLoan;
  /** Of the carriers that this gateway sends over. */
  figures(): ReadonlyMap<string, RateFigures>;
  start(): void;
  stop(): void;
}

export interface RateLendingParts {
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** The other cells, in the order in which this one asks them. */
  others: readonly string[];
  isUp(cell: string): boolean;
  /** What the gateways of that cell lend, in one answer. */
  ask(cell: string, carrierId: string, wanted: number): Promise<RateLoan>;
  /** False while another gateway may have taken over: then that one lends. */
  mayHandOver(): boolean;
}

export function createRateLending({ clock, ...parts }: RateLendingParts): RateLending {
  const shares = new Map<string, OpenShare>();
  /** By carrier, kept when it is closed: what was lent stays lent. */
  const lent = new Map<string, RateLeases>();
  /** `carrier cell` of the requests that wait for an answer. */
  const pending = new Set<string>();
  let cancel = (): void => {};
  const now = (): number => clock.monotonicMs();

  async function ask(cell: string, carrierId: string, share: LentShare, wanted: number): Promise<number> {
    const key = `${carrierId} ${cell}`;
    if (pending.has(key) || !parts.isUp(cell)) return 0;
    pending.add(key);
    const requestedMs = now();
    try {
      return share.borrow(cell, await parts.ask(cell, carrierId, wanted), { requestedMs, nowMs: now() });
    } catch {
      // Whatever it lent, it will use again when its lease is over.
      return 0;
    } finally {
      pending.delete(key);
    }
  }

  async function borrow(carrierId: string, share: LentShare): Promise<void> {
    let missing = share.wanted(now());
    for (const cell of parts.others) {
      if (missing <= 0) return;
      const late = new Promise<number>((resolve) => clock.after(answerMs, () => resolve(0)));
      missing -= await Promise.race([ask(cell, carrierId, share, missing), late]);
    }
  }

  function askLater(): void {
    cancel = clock.after(askEveryMs, () => {
      for (const [carrierId, share] of shares) void borrow(carrierId, share);
      askLater();
    });
  }

  return {
    open: (record) => {
      const { carrierId } = record;
      const { messagesPerSecond: own, lendRate = false } = profileOf(record);
      const ledger = lent.get(carrierId) ?? createRateLeases();
      const lends = lendRate && own > 0;
      if (!lends && (own === 0 || ledger.total(now()) === 0)) return null;
      lent.set(carrierId, ledger);
      const share: OpenShare = {
        ...createLentShare({ own, lends, lent: ledger, nowMs: now() }),
        close: () => {
          if (shares.get(carrierId) === share) shares.delete(carrierId);
        },
      };
      shares.set(carrierId, share);
      return share;
    },
    lend: (cell, carrierId, wanted) => {
      const share = parts.mayHandOver() ? shares.get(carrierId) : undefined;
      return { perSecond: share?.lend(cell, wanted, now()) ?? 0, leaseMs };
    },
    figures: () => new Map([...shares].map(([carrierId, share]) => [carrierId, share.figures(now())])),
    start: askLater,
    stop: () => cancel(),
  };
}
