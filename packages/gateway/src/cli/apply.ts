/** `helio apply FILE`: changes the records to match the file, beside a running gateway or without one. */
import { bindSecrets } from '../app/bound-secrets.ts';
import { machineClock as clock, machineRandom as random } from '../kernel/machine.ts';
import { createSealer, loadSecretKey } from '../kernel/sealing.ts';
import { applyFile, ConfirmationNeeded, RecordsRefused } from '../subjects/records/apply.ts';
import { applyDocument, applyReport, type ReportFlags, refusedDocument } from './apply-report.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

export interface ApplyFlags extends ReportFlags {
  reseal?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function apply(file: string, flags: ApplyFlags, terminal: Terminal): Promise<number> {
  return runWithStore(
    terminal,
    async ({ dataDir, secretKeyFile: keyFile }, withStore) => {
      // The key comes first: without it no store is created.
      const sealer = createSealer(loadSecretKey({ dataDir, keyFile, random }));
      const { dryRun, reseal, yes: confirmed, json = false } = flags;
      const parts = { sealer, clock, random, env: terminal.env, dryRun, reseal, confirmed };
      try {
        const report = await withStore((store) => applyFile(file, { store: bindSecrets(store, sealer), ...parts }));
        return json ? applyDocument(report, { dryRun, applied: dryRun !== true }) : applyReport(report, flags);
      } catch (error) {
        if (json) terminal.out(refusal(error));
        throw error;
      }
    },
    { begins: true },
  );
}

/** The JSON on stdout when nothing was applied; the sentence for people is on stderr. */
function refusal(error: unknown): string {
  if (error instanceof ConfirmationNeeded) return applyDocument({ ...error.report, generated: [] }, { applied: false });
  return error instanceof RecordsRefused ? refusedDocument(error) : '';
}
