/** `helio unmatched`: receipts that fit no message (yet), as the store keeps them for 24 hours. For the operator. */
import { badConfigurationExitCode, type Config } from '../config.ts';
import type { Receipt } from '../domain/delivery.ts';
import { machineClock as clock } from '../machine.ts';
import { openStore } from '../store/open.ts';
import { describeFailure } from './failure.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

const shownMax = 1_000;

export async function unmatched(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  try {
    const receipts = await readFrom(config);
    if (flags.json) terminal.out(receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''));
    else terminal.out(receipts.length === 0 ? 'No receipt is unmatched.\n' : receipts.map(line).join(''));
    return exitCodes.ok;
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) throw error;
    terminal.error(failure.text);
    return failure.exitCode;
  }
}

async function readFrom(config: Config): Promise<Receipt[]> {
  const databaseUrl = config.databaseUrl?.reveal();
  const store = await openStore({ databaseUrl, dataDir: config.dataDir, role: 'tool', clock });
  try {
    return await store.unmatchedReceipts(shownMax);
  } finally {
    await store.close();
  }
}

function line({ receivedAt, carrier, carrierMessageId, to, state, raw }: Receipt): string {
  const time = new Date(receivedAt).toISOString();
  return `${time}  ${carrier}  id ${carrierMessageId || '(none)'}  for ${to ?? '(not said)'}  ${state}  ${JSON.stringify(raw)}\n`;
}
