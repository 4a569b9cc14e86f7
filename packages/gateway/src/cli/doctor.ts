/**
 * `helio doctor`: looks at this machine and at the gateway, and says of each thing whether it is well and what would make
 * it so. It changes nothing, and sends nothing to anybody but the gateway.
 */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { Heliograph } from '@heliograph/client';
import { badConfigurationExitCode, type Config, localUrl } from '../config.ts';
import { machineClock } from '../machine.ts';
import { readFirstSteps } from '../records/first-steps.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

export interface Finding {
  what: string;
  ok: boolean;
  detail: string;
  /** What to do; null when nothing is. */
  fix: string | null;
}

const nodeMajorMin = 24;
const freeBytesMin = 1_000_000_000;
const skewMsMax = 5_000;
const answerMs = 5_000;

export async function doctor(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  const url = localUrl(config, config.port);
  const gateway = await answerOf(`${url}/readyz`);
  const findings = [
    node(),
    folder(config.dataDir),
    disk(config.dataDir),
    gateway === null ? await freePort(config) : ready(url, gateway),
    ...(gateway === null ? [] : [clock(gateway)]),
    ...(gateway === null || !config.sandbox ? [] : [await sandbox(config.dataDir)]),
    ...(config.publicUrl === null ? [] : [await publicUrl(config.publicUrl)]),
  ];
  if (flags.json === true) terminal.out(`${JSON.stringify(findings)}\n`);
  else for (const finding of findings) terminal.out(line(finding));
  return findings.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.refused;
}

function line({ what, ok, detail, fix }: Finding): string {
  const next = fix === null ? '' : `   ${' '.repeat(15)}→ ${fix}\n`;
  return `${ok ? '✓' : '✕'}  ${what.padEnd(15)}${detail}\n${next}`;
}

function finding(what: string, ok: boolean, detail: string, fix: string): Finding {
  return { what, ok, detail, fix: ok ? null : fix };
}

function node(): Finding {
  const { node: version } = process.versions;
  const isNew = Number.parseInt(version, 10) >= nodeMajorMin;
  return finding('Node', isNew, version, `Install Node ${nodeMajorMin} or newer.`);
}

/** The nearest folder that is there: a data folder is made at the first start. */
function existing(path: string): string {
  let at = resolve(path);
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

function folder(dataDir: string): Finding {
  const fix = 'Choose another: HELIO_DATA=./data npm start';
  try {
    accessSync(existing(dataDir), constants.W_OK);
    return finding('Data folder', true, existsSync(dataDir) ? dataDir : `${dataDir} (made at the first start)`, fix);
  } catch {
    return finding('Data folder', false, `${dataDir} cannot be written`, fix);
  }
}

function disk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(existing(dataDir));
  const free = bavail * bsize;
  const detail = `${(free / 1e9).toFixed(1)} GB free`;
  return finding(
    'Disk',
    free >= freeBytesMin,
    detail,
    'Make room: when the disk is full, nothing is accepted any more.',
  );
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

async function publicUrl(url: string): Promise<Finding> {
  const answer = await answerOf(`${url}/healthz`);
  const detail = answer === null ? `${url} does not answer from here` : `${url} answers ${answer.status}`;
  return finding('Public URL', answer?.ok === true, detail, 'Check the proxy, its certificate and HELIO_PUBLIC_URL.');
}

async function answerOf(url: string): Promise<Response | null> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) });
  } catch {
    return null;
  }
}
