/**
 * `helio unmatched`: receipts without a matching message (so far), which the store keeps for 24 hours. For the
 * operator.
 */
import type { Receipt } from '../model/delivery.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

const shownMax = 1_000;

export function unmatched(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  return runWithStore(terminal, async (_config, withStore) => {
    const receipts = await withStore((store) => store.unmatchedReceipts(shownMax));
    if (flags.json) return receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    return receipts.length === 0 ? 'No receipt is unmatched.\n' : receipts.map(line).join('');
  });
}

function line({ receivedAt, carrier, carrierMessageId, to, state, raw }: Receipt): string {
  const time = new Date(receivedAt).toISOString();
  return `${time}  ${carrier}  id ${carrierMessageId || '(none)'}  for ${to ?? '(not said)'}  ${state}  ${JSON.stringify(raw)}\n`;
}
