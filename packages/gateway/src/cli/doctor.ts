/**
 * `helio doctor`: checks this machine and the gateway, and reports for each item whether it is fine and what would fix
 * it. It changes nothing, and sends nothing except to the gateway.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Heliograph } from '@heliograph/client';
import { badConfigurationExitCode, type Config, localUrl } from '../app/config.ts';
import {
  diskFinding,
  finding,
  folderFinding,
  nodeFinding,
  publicUrlFinding,
  sharedNumbersFinding,
  tryFetch,
  whatItHas,
} from '../app/machine-checks.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { doctorToken, keyFileName, loadSecretKey, SealingRefused } from '../kernel/sealing.ts';
import { startCommand } from '../kernel/start-command.ts';
import { isAboutCertificate } from '../kernel/tls-fault.ts';
import type { CarrierState, Finding, SharedNumber } from '../model/upkeep.ts';
import { type FirstSteps, readFirstSteps } from '../subjects/records/first-steps.ts';
import { databaseFindings } from './doctor-database.ts';
import { fileFault } from './file-fault.ts';
import { isOfThisMachine, otherCertificateCode, ownFetch } from './own-fetch.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

const skewMsMax = 5_000;
const answerMs = 5_000;
/** A carrier that is down for a shorter time may still be connecting. */
const connectingMs = 3_000;
const connectingLookMs = 250;

export async function doctor(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  const findings = await look(config);
  if (flags.json === true) terminal.out(`${JSON.stringify(findings)}\n`);
  else {
    const width = Math.max(...findings.map(({ what }) => what.length)) + 2;
    for (const finding of findings) terminal.out(line(finding, width));
  }
  return findings.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.refused;
}

async function look(config: Config): Promise<Finding[]> {
  const fetchSelf = ownFetch(config);
  const { url, answer, code, body } = await findGateway(config, fetchSelf);
  const database = config.databaseUrl === null ? [] : await databaseFindings(config.databaseUrl.reveal());
  const machine = [nodeFinding(), folderFinding(config.dataDir), diskFinding(config.dataDir), ...database];
  const others = config.publicUrl === null ? [] : [await publicUrlFinding(config.publicUrl)];
  if (answer === null) {
    const gateway = isAboutCertificate(code) ? otherCertificate(url, code) : await nobody(config, url);
    return [...machine, gateway, ...others];
  }
  if (typeof body?.success !== 'boolean') return [...machine, await freePort(config), ...others];
  return [
    ...machine,
    finding('Gateway', answer.ok, `${answer.ok ? 'ready' : 'not ready'} at ${placeOf(url, config)}`, body.detail),
    clock(answer),
    ...cluster(body.data),
    ...cells(body.data),
    ...(answer.ok ? carriers(body.data?.carriers) : []),
    ...(config.sandbox ? [await sandbox(config.dataDir, { url, fetchSelf })] : []),
    ...others,
  ];
}

/**
 * The gateway of this data folder: at the configured port, or where its first steps say that it was started. Only one
 * that knows the key of the folder is its gateway.
 */
async function findGateway(config: Config, fetchSelf: typeof fetch) {
  const ask = async (url: string) => ({
    url,
    ...(await readiness(`${url}/readyz`, { fetch: fetchSelf, headers: credentials(config) })),
  });
  const configured = await ask(localUrl(config, config.port));
  if (configured.body?.data?.carriers !== undefined) return configured;
  const started = config.sandbox ? stepsOf(config.dataDir).steps?.baseUrl : undefined;
  if (started === undefined || started === configured.url || !isOfThisMachine(started, config)) return configured;
  const elsewhere = await ask(started);
  return elsewhere.body?.data?.carriers === undefined ? configured : elsewhere;
}

/** The doctor goes on with its other checks when this user may not read them. */
function stepsOf(dataDir: string): { steps: FirstSteps | null; fault: string | null } {
  try {
    return { steps: readFirstSteps(dataDir), fault: null };
  } catch (error) {
    const fault = fileFault(error);
    if (fault === null) throw error;
    return { steps: null, fault };
  }
}

/** Names the port of these settings too when the gateway was started with another. */
function placeOf(url: string, config: Config): string {
  return url === localUrl(config, config.port) ? url : `${url} (PORT is ${config.port} here)`;
}

/** Asks again while a carrier changed its state a moment ago: right after a start all of them connect. */
async function readiness(url: string, how: Parameters<typeof tryFetch>[1]) {
  for (;;) {
    const found = await tryFetch(url, how);
    const body = ((await found.answer?.json().catch(() => null)) ?? null) as ReadyBody | null;
    const isConnecting = body?.data?.carriers?.some(
      ({ up, paused, since }) => !up && !paused && machineClock.now() - since < connectingMs,
    );
    if (isConnecting !== true) return { ...found, body };
    await wait(connectingLookMs);
  }
}

interface ReadyBody {
  success: boolean;
  detail: string;
  data?: {
    carriers?: CarrierState[];
    node?: string;
    lanes?: string[];
    duties?: string[];
    acts?: boolean;
    cell?: string;
    cellsDown?: string[];
    /** Absent when the gateway has another secret key than this data folder. */
    numbersShared?: SharedNumber[];
  };
}

/** The gateway reports more to a process that can read its secret key. Never creates a key. */
function credentials({ dataDir, secretKeyFile: keyFile }: Config): Record<string, string> {
  if (keyFile === null && !existsSync(join(dataDir, keyFileName))) return {};
  try {
    return { authorization: `Bearer ${doctorToken(loadSecretKey({ dataDir, keyFile, random: machineRandom }))}` };
  } catch (error) {
    if (error instanceof SealingRefused || fileFault(error) !== null) return {};
    throw error;
  }
}

/** Of several gateways on one database: which carriers and duties are at this one. */
function cluster({ node: name, lanes = [], duties = [], acts }: NonNullable<ReadyBody['data']> = {}): Finding[] {
  if (name === undefined) return [];
  return [finding('Cluster', true, `${name} ${whatItHas({ lanes, duties, acts: acts === true })}`, '')];
}

/** Of several cells: whether the others answer this gateway, and whether a number is in two of them. */
function cells({ cell, cellsDown = [], numbersShared }: NonNullable<ReadyBody['data']> = {}): Finding[] {
  if (cell === undefined) return [];
  const others = cellsDown.length === 0 ? 'all others answer' : `no answer from ${cellsDown.join(', ')}`;
  const fix = 'Look at HELIO_CELLS, at the secret, and whether their gateways run: docs/cells.md';
  return [
    finding('Cells', cellsDown.length === 0, `this is ${cell}; ${others}`, fix),
    ...(numbersShared === undefined ? [] : [sharedNumbersFinding(numbersShared)]),
  ];
}

/** One for each carrier; none when the gateway has another secret key than this data folder. */
function carriers(states: readonly CarrierState[] | undefined): Finding[] {
  if (states === undefined) {
    const fix = 'Run it as the user of the gateway, with its HELIO_DATA and HELIO_SECRET_KEY_FILE.';
    return [finding('Carriers', false, 'the gateway does not know the secret key of this data folder', fix)];
  }
  return states.map(({ carrierId, up, paused, since, detail }) => {
    const state = up ? 'connected' : `not connected since ${new Date(since).toISOString()}`;
    const summary = [paused ? 'paused' : '', state, up ? '' : (detail ?? '')].filter((word) => word !== '').join('; ');
    return finding(`Carrier ${carrierId}`, up || paused, summary, 'Look at its host, port, password and allow-list.');
  });
}

function otherCertificate(url: string, code: string): Finding {
  const what =
    code === otherCertificateCode
      ? 'another certificate than HELIO_TLS_CERT holds'
      : `a certificate that does not count (${code})`;
  return finding(
    'Gateway',
    false,
    `${url} shows ${what}`,
    'Renew the certificate; a new one is served within ten seconds.',
  );
}

function line({ what, ok, detail, fix }: Finding, width: number): string {
  const next = fix === null ? '' : `   ${' '.repeat(width)}→ ${fix}\n`;
  return `${ok ? '✓' : '✕'}  ${what.padEnd(width)}${detail}\n${next}`;
}

/** A gateway with https, checked with settings without https, must not be reported as another program. */
async function nobody(config: Config, url: string): Promise<Finding> {
  if (config.tls === null) {
    const { answer, code } = await tryFetch(url.replace(/^http:/, 'https:'));
    if (answer !== null || isAboutCertificate(code)) {
      const fix = 'Run it with the settings of the gateway: HELIO_TLS_CERT and HELIO_TLS_KEY.';
      return finding('Gateway', false, `port ${config.port} speaks https, and no certificate is set here`, fix);
    }
  }
  return freePort(config);
}

/** No gateway answers: it is not running, or another program has its port. */
function freePort({ host, port }: Config): Promise<Finding> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () =>
      done(finding('Gateway', false, `port ${port} is taken by another program`, `PORT=${port + 1} ${startCommand}`)),
    );
    server.listen(port, host, () =>
      server.close(() => done(finding('Gateway', false, `not running; port ${port} is free`, startCommand))),
    );
  });
}

function clock(answer: Response): Finding {
  const skewMs = Math.abs(machineClock.now() - Date.parse(answer.headers.get('date') ?? ''));
  const isNear = !(skewMs > skewMsMax);
  const detail = isNear ? 'as the gateway’s' : `${Math.round(skewMs / 1_000)} s from the gateway’s`;
  return finding('Clock', isNear, detail, 'Set the clock: signatures of webhooks are refused after 5 minutes.');
}

async function sandbox(
  dataDir: string,
  { url, fetchSelf }: { url: string; fetchSelf: typeof fetch },
): Promise<Finding> {
  const { steps, fault } = stepsOf(dataDir);
  if (steps === null) {
    return finding('Sandbox', false, fault ?? `no first steps in ${dataDir}`, 'HELIO_DATA=… helio doctor');
  }
  try {
    const wanted = { baseUrl: url, fetch: fetchSelf, bearerToken: steps.bearerToken, authToken: steps.authToken };
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
