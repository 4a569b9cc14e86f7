/** `helio first-steps`: the start card again, or the same facts as JSON for a script. */
import { badConfigurationExitCode } from '../config.ts';
import { readFirstSteps } from '../records/first-steps.ts';
import { version } from '../version.ts';
import { startCard } from './start-card.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

export function firstSteps(flags: { json?: boolean }, terminal: Terminal): number {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  if (!config.sandbox) {
    terminal.error(
      'There are no first steps without the sandbox (HELIO_SANDBOX=0). Switch it on: HELIO_SANDBOX=1 npm start\n',
    );
    return badConfigurationExitCode;
  }
  const steps = readFirstSteps(config.dataDir);
  if (steps === null) {
    terminal.error(
      `There are no first steps in ${config.dataDir}: no gateway was started with it yet. Next: npm start\n`,
    );
    return badConfigurationExitCode;
  }
  if (flags.json === true) terminal.out(`${JSON.stringify(steps)}\n`);
  else {
    // Whoever asks for them by name is shown them, whatever HELIO_PRINT_SECRETS says of the log of a start.
    const shown = { ...config, printSecrets: true };
    const unknown = { webhookInbox: false, liveCarriers: null };
    terminal.out(startCard({ version, config: shown, baseUrl: steps.baseUrl, firstSteps: steps, ...unknown }));
  }
  return exitCodes.ok;
}
