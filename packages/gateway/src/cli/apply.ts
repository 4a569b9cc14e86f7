/** `helio apply FILE`: brings the records to what the file says, beside a running gateway or without one. */
import { machineClock as clock, machineRandom as random } from '../machine.ts';
import { applyFile } from '../records/apply.ts';
import { createSealer, loadSecretKey } from '../sealing.ts';
import { applyReport } from './apply-report.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

export interface ApplyFlags {
  dryRun?: boolean;
  verbose?: boolean;
  reseal?: boolean;
}

export function apply(file: string, flags: ApplyFlags, terminal: Terminal): Promise<number> {
  return runWithStore(terminal, async ({ dataDir, secretKeyFile: keyFile }, withStore) => {
    // The key first: where it cannot be had, no store is made.
    const sealer = createSealer(loadSecretKey({ dataDir, keyFile, random }));
    const parts = { sealer, clock, random, env: terminal.env, ...flags };
    return applyReport(await withStore((store) => applyFile(file, { store, ...parts })), flags);
  });
}
