/** Wires the machine's pages: version, health, backups. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PortalModule } from '../http/portal/portal.ts';
import { dayMs } from '../kernel/clock.ts';
import { version } from '../kernel/version.ts';
import type { Lanes } from '../messaging/send-queue/lanes.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import type { TrustedClock } from '../messaging/time/trusted-clock.ts';
import { duties } from '../model/duty.ts';
import type { Finding } from '../model/upkeep.ts';
import { upkeepRoutes } from '../subjects/upkeep/upkeep-routes.ts';
import { backupFolder, createBackups, listBackups } from './backups.ts';
import type { Cells } from './cells.ts';
import type { Certificate } from './certificate.ts';
import { type Config, isLoopback } from './config.ts';
import type { Context } from './context.ts';
import {
  diskFinding,
  finding,
  folderFinding,
  nodeFinding,
  publicUrlFinding,
  sharedNumbersFinding,
  whatItHas,
} from './machine-checks.ts';
import type { Store } from './store.ts';
import { copySqlite } from './store-backup.ts';

export interface UpkeepPorts {
  config: Pick<Config, 'dataDir' | 'host' | 'publicUrl'>;
  /** Null without https. */
  certificate: Pick<Certificate, 'endsAt'> | null;
  trustedClock: Pick<TrustedClock, 'warning' | 'confirm'>;
  store: Store;
  lanes: Pick<Lanes, 'status' | 'isPaused' | 'node' | 'nodes'>;
  directory: Pick<DirectoryFollower, 'current'>;
  /** Null when there is only one cell. */
  cells: Pick<Cells, 'numbers'> | null;
  /** The folder of the portal's pages. */
  pagesFolder: string;
}

const certificateDaysMin = 30;
const backupDaysMax = 7;

export function openUpkeep({ clock, logger }: Context, ports: UpkeepPorts): PortalModule {
  const { config, store, trustedClock } = ports;
  const { dataDir, publicUrl } = config;
  const copy = (to: string) => copySqlite(dataDir, to);
  return upkeepRoutes({
    made: {
      version,
      build: builtFrom(ports.pagesFolder),
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      startedAt: clock.now(),
    },
    store,
    confirmClock: trustedClock.confirm,
    testPublicUrl: async () => (publicUrl === null ? null : publicUrlFinding(publicUrl)),
    backups: store.engine === 'sqlite' ? createBackups({ clock, logger, store, dataDir, copy }) : null,
    health: async () => [
      nodeFinding(),
      clockFinding(trustedClock),
      folderFinding(dataDir),
      diskFinding(dataDir),
      await storeFinding(store),
      carriersFinding(ports),
      ...gatewayFindings(ports.lanes),
      ...(ports.cells === null ? [] : [sharedNumbersFinding(ports.cells.numbers.shared())]),
      await addressFinding(config),
      ...certificateFinding(ports.certificate, clock.now()),
      ...(store.engine === 'sqlite' ? [backupFinding(dataDir, clock.now())] : []),
    ],
  });
}

function clockFinding({ warning }: Pick<TrustedClock, 'warning'>): Finding {
  const doubt = warning();
  const fix = 'Set the clock of the machine, or confirm on the home page that it is right.';
  return finding('Clock', doubt === null, doubt ?? 'goes steadily', fix);
}

/** The revision of the served pages; null when they are not built. */
function builtFrom(pagesFolder: string): string | null {
  try {
    return readFileSync(join(pagesFolder, 'built-from'), 'utf8').slice(0, 12);
  } catch {
    return null;
  }
}

async function storeFinding(store: Store): Promise<Finding> {
  const ok = await store.healthy();
  const fix = 'Check the disk, or the database server. The gateway accepts nothing until the store takes writes again.';
  return finding('Store', ok, ok ? 'takes writes' : 'takes no writes', fix);
}

/** Paused carriers are paused on purpose, so they are no fault. */
function carriersFinding({ lanes, directory }: UpkeepPorts): Finding {
  const running = lanes.status().filter(({ carrierId }) => !lanes.isPaused(carrierId));
  const down = running
    .filter(({ up }) => !up)
    .map(({ carrierId }) => directory.current().carrier(carrierId)?.name ?? carrierId);
  const detail = down.length === 0 ? `${running.length} of ${running.length} connected` : `down: ${down.join(', ')}`;
  return finding(
    'Carriers',
    down.length === 0,
    detail,
    'See Carriers: each says why, and when the gateway tries next.',
  );
}

/** One finding for each of several gateways on the database, and one for duties that none of them has. */
function gatewayFindings(lanes: UpkeepPorts['lanes']): Finding[] {
  if (lanes.node === null) return [];
  const nodes = lanes.nodes();
  const found = nodes.map((node) => finding(`Gateway ${node.name}`, true, whatItHas(node), ''));
  const undone = duties.filter((duty) => !nodes.some((node) => node.duties.includes(duty)));
  if (undone.length === 0) return found;
  const fix = 'Look again in 20 s: a gateway that was lost is replaced by then. If not, see the logs of the others.';
  return [...found, finding('Duties', false, `no gateway does ${undone.join(', ')}`, fix)];
}

async function addressFinding({ host, publicUrl }: UpkeepPorts['config']): Promise<Finding> {
  if (publicUrl !== null) return publicUrlFinding(publicUrl);
  if (isLoopback(host)) return finding('Public URL', true, 'none is needed: only this machine reaches the gateway', '');
  const fix = 'Set HELIO_PUBLIC_URL to the address that others use, then start again.';
  return finding('Public URL', false, 'not set: links to media and invitations name this machine only', fix);
}

function certificateFinding(certificate: UpkeepPorts['certificate'], now: number): Finding[] {
  if (certificate === null) return [];
  const days = Math.floor((certificate.endsAt() - now) / dayMs);
  const detail = days < 0 ? 'is over' : `holds for ${days} more days`;
  return [
    finding(
      'Certificate',
      days >= certificateDaysMin,
      detail,
      'Renew it: the gateway serves a new one as soon as the files have it.',
    ),
  ];
}

function backupFinding(dataDir: string, now: number): Finding {
  const [newest] = listBackups(dataDir);
  const fix = 'Back up now, under Settings › Backup, and keep a copy on another machine.';
  if (newest === undefined) return finding('Backup', false, `none in ${backupFolder(dataDir)}`, fix);
  const days = Math.floor((now - newest.at) / dayMs);
  const detail = days === 0 ? 'the newest is of today' : `the newest is ${days} ${days === 1 ? 'day' : 'days'} old`;
  return finding('Backup', days <= backupDaysMax, detail, fix);
}
