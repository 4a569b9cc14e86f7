/**
 * How a command reaches a gateway: its address and credentials, from the environment or from the first steps of the data
 * folder, and the messages when it does not answer or refuses. Secrets found here are never printed.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Heliograph, HeliographError, type HeliographOptions } from '@heliograph/client';
import { badConfigurationExitCode } from '../app/config.ts';
import { startCommand } from '../kernel/start-command.ts';
import { readFirstSteps } from '../subjects/records/first-steps.ts';
import { fetchOf } from './own-fetch.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

export interface GatewayAccess {
  baseUrl: string;
  bearerToken: string;
  authToken: string;
  /** Where a command may keep its own files for this gateway; may not exist yet. */
  folder: string;
  /** For the gateway of this machine, which may have a certificate of its own. */
  fetch?: typeof fetch;
}

const names = ['HELIO_URL', 'HELIO_BEARER_TOKEN', 'HELIO_AUTH_TOKEN'] as const;

/** Null when there is none: the error is already printed, and the exit code is 78. */
export function gatewayAccess(terminal: Terminal): GatewayAccess | null {
  const { HELIO_URL: baseUrl, HELIO_BEARER_TOKEN: bearerToken, HELIO_AUTH_TOKEN: authToken } = terminal.env;
  if (baseUrl && bearerToken && authToken) {
    return { baseUrl, bearerToken, authToken, folder: userFolder(terminal.env) };
  }
  // Never a mixture: the sandbox's credentials would be sent to another gateway's address.
  const missing = names.filter((name) => !terminal.env[name]);
  if (missing.length < names.length) {
    terminal.error(
      `Not set: ${missing.join(' and ')}. Set ${names.join(', ')}, or none of them for the sandbox here.\n`,
    );
    return null;
  }
  return sandboxAccess(terminal);
}

function sandboxAccess(terminal: Terminal): GatewayAccess | null {
  const config = usableConfig(terminal);
  if (config === null) return null;
  const steps = config.sandbox ? readFirstSteps(config.dataDir) : null;
  if (steps !== null) return { ...steps, folder: config.dataDir, fetch: fetchOf(steps.baseUrl, config) };
  terminal.error(
    `There are no first steps in ${config.dataDir}, and ${names.join(', ')} are not set: no gateway to ask. Next: ${startCommand}\n`,
  );
  return null;
}

/** XDG Base Directory Specification 0.8. */
function userFolder(env: Terminal['env']): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'heliograph');
}

/** Runs `work` with a client of the gateway; a failed call is reported and sets the exit code. */
export async function withGateway(
  access: GatewayAccess,
  terminal: Terminal,
  options: Pick<HeliographOptions, 'hooks' | 'wait' | 'random'>,
  work: (helio: Heliograph) => Promise<number>,
): Promise<number> {
  const { baseUrl, bearerToken, authToken, fetch } = access;
  try {
    return await work(new Heliograph({ baseUrl, bearerToken, authToken, fetch, ...options }));
  } catch (error) {
    if (!(error instanceof HeliographError)) throw error;
    const { status, reason, detail } = error;
    terminal.error(`${detail} (${reason})\n`);
    if (reason === 'INVALID_CONFIGURATION') return badConfigurationExitCode;
    // A response that is not a gateway's has no entry in the catalogue.
    const answered = status !== null && reason !== 'INVALID_RESPONSE';
    terminal.error(
      answered ? `Next: helio explain ${reason}\n` : `Is the gateway running at ${baseUrl}? Next: ${startCommand}\n`,
    );
    return answered ? exitCodes.refused : exitCodes.network;
  }
}
