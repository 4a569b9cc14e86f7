/** `helio apply FILE`: brings the records to what the file says, beside a running gateway or without one. */
import { badConfigurationExitCode, type Config } from '../config.ts';
import { machineClock as clock, machineRandom as random } from '../machine.ts';
import { type ApplyReport, applyFile } from '../records/apply.ts';
import { createSealer, loadSecretKey } from '../sealing.ts';
import { openStore } from '../store/open.ts';
import { applyReport } from './apply-report.ts';
import { describeFailure } from './failure.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

export interface ApplyFlags {
  dryRun?: boolean;
  verbose?: boolean;
  reseal?: boolean;
}

export async function apply(file: string, flags: ApplyFlags, terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  try {
    terminal.out(applyReport(await applyTo(config, file, flags, terminal), flags));
    return exitCodes.ok;
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) throw error;
    terminal.error(failure.text);
    return failure.exitCode;
  }
}

async function applyTo(config: Config, file: string, flags: ApplyFlags, { env }: Terminal): Promise<ApplyReport> {
  const sealer = createSealer(loadSecretKey({ dataDir: config.dataDir, keyFile: config.secretKeyFile, random }));
  const databaseUrl = config.databaseUrl?.reveal();
  const store = await openStore({ databaseUrl, dataDir: config.dataDir, role: 'tool', clock });
  try {
    return await applyFile(file, { store, sealer, clock, random, env, ...flags });
  } finally {
    await store.close();
  }
}
