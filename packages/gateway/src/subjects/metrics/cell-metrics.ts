/** Counts what goes from this cell to others. */
import type { Registry } from '../../kernel/metrics.ts';
import type { ReceiptOwner } from '../../messaging/receive/other-cells.ts';
import type { ForwardResult } from '../cells/ask-cells.ts';

const results: readonly ForwardResult[] = ['answered', 'not_reached', 'lost'];
const places: readonly ReceiptOwner[] = ['known', 'expected', 'nobody', 'silent'];

export interface CellMetrics {
  /** A request of a caller whose account lives in that cell. */
  forwarded(cell: string, result: ForwardResult): void;
  /** A receipt that this cell does not have on record. */
  receipt(place: ReceiptOwner): void;
}

export function createCellMetrics(registry: Registry): CellMetrics {
  const forwarded = registry.counters(
    { name: 'cell', values: null },
    {
      name: 'helio_cell_forwarded_total',
      help: 'Requests forwarded to another cell: answered, not reached (never sent), or its answer lost.',
      label: { name: 'result', values: results },
    },
  );
  const receipts = registry.counter({
    name: 'helio_cell_receipts_total',
    help: 'Receipts that this cell has not on record: known or expected elsewhere, nobody’s, or refused as a cell was silent.',
    label: { name: 'place', values: places },
  });
  return {
    forwarded: (cell, result) => forwarded(cell).add(result),
    receipt: (place) => receipts.add(place),
  };
}
