/** `helio first-steps`: the start card again, or the same facts as JSON for a script. */
import { badConfigurationExitCode } from '../app/config.ts';
import { startCommand } from '../kernel/start-command.ts';
import { version } from '../kernel/version.ts';
import { type FirstSteps, readFirstSteps } from '../subjects/records/first-steps.ts';
import { fetchOf } from './own-fetch.ts';
import { startCard } from './start-card.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

/** The card is printed without the state of the binds rather than late. */
const answerMsMax = 2_000;

export async function firstSteps(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  if (!config.sandbox) {
    terminal.error(
      `There are no first steps without the sandbox (HELIO_SANDBOX=0). Switch it on: HELIO_SANDBOX=1 ${startCommand}\n`,
    );
    return badConfigurationExitCode;
  }
  const steps = readFirstSteps(config.dataDir);
  if (steps === null) {
    terminal.error(
      `There are no first steps in ${config.dataDir}: no gateway was started with it yet. Next: ${startCommand}\n`,
    );
    return badConfigurationExitCode;
  }
  if (flags.json === true) terminal.out(`${JSON.stringify(steps)}\n`);
  else {
    // This command always shows the secrets: HELIO_PRINT_SECRETS affects only the start card.
    const shown = { ...config, printSecrets: true };
    const { baseUrl } = steps;
    const binds = await bindsNow(steps, fetchOf(baseUrl, config));
    terminal.out(startCard({ version, config: shown, baseUrl, firstSteps: steps, liveCarriers: null, binds }));
  }
  return exitCodes.ok;
}

/** From the running gateway; undefined when none answers. */
async function bindsNow(
  { baseUrl, bearerToken, authToken }: FirstSteps,
  fetchIt: typeof fetch,
): Promise<string[] | undefined> {
  try {
    const answer = await fetchIt(`${baseUrl}/api/v1/sandbox/carrier`, {
      headers: { authorization: `Bearer ${bearerToken}`, 'x-api-key': authToken },
      redirect: 'error',
      signal: AbortSignal.timeout(answerMsMax),
    });
    const { data } = (await answer.json()) as { data?: { binds?: unknown } };
    const binds = data?.binds;
    return Array.isArray(binds) && binds.every((state) => typeof state === 'string') ? binds : undefined;
  } catch {
    return undefined;
  }
}
