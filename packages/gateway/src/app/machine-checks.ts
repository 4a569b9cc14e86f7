/**
 * Checks the machine for `helio doctor` and the portal. Each finding says whether the check passed and how to fix it.
 */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { startCommand } from '../kernel/start-command.ts';
import { isAboutCertificate } from '../kernel/tls-fault.ts';
import type { Finding, SharedNumber } from '../model/upkeep.ts';

const nodeMajorMin = 24;
/** Free space that the disk of the data folder should have. */
export const freeBytesMin = 1_000_000_000;
const answerMs = 5_000;

export function finding(what: string, ok: boolean, detail: string, fix: string): Finding {
  return { what, ok, detail, fix: ok ? null : fix };
}

const numbersNamedMax = 5;

/** Whether another cell has numbers of this one too; one of a kind for the command and the portal. */
export function sharedNumbersFinding(shared: readonly SharedNumber[]): Finding {
  const named = shared.slice(0, numbersNamedMax).map(({ number, cells }) => `${number} is in ${cells.join(' and ')}`);
  const more = shared.length > named.length ? [`and ${shared.length - named.length} more`] : [];
  const detail = shared.length === 0 ? 'none is in two cells' : [...named, ...more].join(', ');
  const fix = 'Remove it from the records of one of them: replies and keywords reach only one (docs/cells.md).';
  return finding('Numbers', shared.length === 0, detail, fix);
}

/** Describes the duties of one of several gateways on a database. */
export function whatItHas({
  lanes,
  duties,
  acts,
}: {
  lanes: readonly string[];
  duties: readonly string[];
  acts: boolean;
}): string {
  const has = lanes.length === 0 ? 'has no carrier' : `has ${lanes.join(', ')}`;
  const does = duties.length === 0 ? '' : `; does ${duties.join(', ')}`;
  return `${has}${does}${acts ? '; acts for all' : ''}`;
}

export function nodeFinding(): Finding {
  const { node: version } = process.versions;
  const isNew = Number.parseInt(version, 10) >= nodeMajorMin;
  return finding('Node', isNew, version, `Install Node ${nodeMajorMin} or newer.`);
}

/** The nearest existing folder: the data folder is created at the first start. */
function existing(path: string): string {
  let at = resolve(path);
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

export function folderFinding(dataDir: string): Finding {
  const fix = `Choose another: HELIO_DATA=./data ${startCommand}`;
  try {
    accessSync(existing(dataDir), constants.W_OK);
    return finding('Data folder', true, existsSync(dataDir) ? dataDir : `${dataDir} (made at the first start)`, fix);
  } catch {
    return finding('Data folder', false, `${dataDir} cannot be written`, fix);
  }
}

/** Bytes that may still be written into the folder. */
export function freeBytes(dataDir: string): number {
  const { bavail, bsize } = statfsSync(existing(dataDir));
  return bavail * bsize;
}

export function diskFinding(dataDir: string): Finding {
  const free = freeBytes(dataDir);
  const detail = `${(free / 1e9).toFixed(1)} GB free`;
  return finding(
    'Disk',
    free >= freeBytesMin,
    detail,
    'Free some space: with a full disk the gateway accepts nothing.',
  );
}

/** Requests the gateway's public URL. */
export async function publicUrlFinding(url: string): Promise<Finding> {
  const { answer, code } = await tryFetch(`${url}/healthz`);
  const fix = 'Check the proxy, its certificate and HELIO_PUBLIC_URL.';
  if (answer === null) {
    const why = isAboutCertificate(code)
      ? `${url} has a certificate that this machine does not trust (${code})`
      : `${url} does not answer from here`;
    return finding('Public URL', false, why, fix);
  }
  const version = answer.ok ? await versionOf(answer) : null;
  const detail =
    version === null
      ? `${url} answers ${answer.status}, but not as a gateway does`
      : `${url} answers as Heliograph ${version}`;
  return finding('Public URL', version !== null, detail, fix);
}

async function versionOf(answer: Response): Promise<string | null> {
  try {
    const { data } = (await answer.json()) as { data?: { version?: unknown } };
    return typeof data?.version === 'string' ? data.version : null;
  } catch {
    return null;
  }
}

/** A response, or the error code of the system or of TLS. */
export type FetchOutcome = { answer: Response; code: null } | { answer: null; code: string };

export async function tryFetch(
  url: string,
  { fetch: fetchUrl = fetch, headers = {} }: { fetch?: typeof fetch; headers?: Record<string, string> } = {},
): Promise<FetchOutcome> {
  try {
    return {
      answer: await fetchUrl(url, { redirect: 'manual', headers, signal: AbortSignal.timeout(answerMs) }),
      code: null,
    };
  } catch (error) {
    const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
    return { answer: null, code: String(code ?? cause?.code ?? '') };
  }
}
