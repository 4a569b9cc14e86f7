/**
 * `helio doctor`: looks at this machine and at the gateway, and says of each thing whether it is well and what would make
 * it so. It changes nothing, and sends nothing to anybody but the gateway.
 */
import { createServer } from 'node:net';
import { Heliograph } from '@heliograph/client';
import { badConfigurationExitCode, type Config, localUrl } from '../config.ts';
import type { Finding } from '../domain/upkeep.ts';
import { machineClock } from '../machine.ts';
import { answerOf, diskFinding, finding, folderFinding, nodeFinding, publicUrlFinding } from '../machine-checks.ts';
import { readFirstSteps } from '../records/first-steps.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

const skewMsMax = 5_000;
const answerMs = 5_000;

export async function doctor(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  const url = localUrl(config, config.port);
  const gateway = await answerOf(`${url}/readyz`);
  const findings = [
    nodeFinding(),
    folderFinding(config.dataDir),
    diskFinding(config.dataDir),
    gateway === null ? await freePort(config) : ready(url, gateway),
    ...(gateway === null ? [] : [clock(gateway)]),
    ...(gateway === null || !config.sandbox ? [] : [await sandbox(config.dataDir)]),
    ...(config.publicUrl === null ? [] : [await publicUrlFinding(config.publicUrl)]),
  ];
  if (flags.json === true) terminal.out(`${JSON.stringify(findings)}\n`);
  else for (const finding of findings) terminal.out(line(finding));
  return findings.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.refused;
}

function line({ what, ok, detail, fix }: Finding): string {
  const next = fix === null ? '' : `   ${' '.repeat(15)}→ ${fix}\n`;
  return `${ok ? '✓' : '✕'}  ${what.padEnd(15)}${detail}\n${next}`;
}

function ready(url: string, answer: Response): Finding {
  return finding(
    'Gateway',
    answer.ok,
    `${answer.ok ? 'ready' : 'not ready'} at ${url}`,
    'Look at what it printed last.',
  );
}

/** Nobody answers as a gateway does: it is not running, or another program has its port. */
function freePort({ host, port }: Config): Promise<Finding> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () =>
      done(finding('Gateway', false, `port ${port} is taken by another program`, `PORT=${port + 1} npm start`)),
    );
    server.listen(port, host, () =>
      server.close(() => done(finding('Gateway', false, `not running; port ${port} is free`, 'npm start'))),
    );
  });
}

function clock(answer: Response): Finding {
  const skewMs = Math.abs(machineClock.now() - Date.parse(answer.headers.get('date') ?? ''));
  const isNear = !(skewMs > skewMsMax);
  const detail = isNear ? 'as the gateway’s' : `${Math.round(skewMs / 1_000)} s from the gateway’s`;
  return finding('Clock', isNear, detail, 'Set the clock: signatures of webhooks are refused after 5 minutes.');
}

async function sandbox(dataDir: string): Promise<Finding> {
  const steps = readFirstSteps(dataDir);
  if (steps === null) return finding('Sandbox', false, `no first steps in ${dataDir}`, 'HELIO_DATA=… helio doctor');
  try {
    const wanted = { baseUrl: steps.baseUrl, bearerToken: steps.bearerToken, authToken: steps.authToken };
    const handsets = await new Heliograph({ ...wanted, maxRetries: 0, timeoutMs: answerMs }).sandbox.handsets();
    return finding('Sandbox', true, `${handsets.length} handsets, credentials work`, '');
  } catch (error) {
    return finding(
      'Sandbox',
      false,
      (error as Error).message,
      'Restart the gateway: it makes a new pair of credentials.',
    );
  }
}
