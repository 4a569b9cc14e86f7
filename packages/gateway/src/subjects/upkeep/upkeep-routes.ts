/**
 * `/about`, `/health`, `/public-url/test` and `/backups`. A backup contains every company, so it requires an operator
 * with a recent sign-in and is audited.
 */

import { isoTime } from '../../http/envelope.ts';
import { rejection, streamed, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { conflict } from '../../http/portal/answers.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { fresh, type PortalCall, type PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers, answersRaw, ownBody } from '../../http/route.ts';
import { always, either, flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { BackupService, BackupsNow, Finding, StoreFacts } from '../../model/upkeep.ts';

const ofStore = { engine: oneOf(['sqlite', 'postgres']), bytes: whole() };

const backup = named('Backup', object({ name: plain(), bytes: whole(), at: time }));

/** `folder` is null when backups are made with PostgreSQL's tools: the rest is then absent. */
const storeBackups = named(
  'StoreBackups',
  either(
    object({ ...ofStore, folder: always(null) }),
    object({
      ...ofStore,
      folder: plain(),
      backups: list(backup),
      runningSince: orNull(time),
      failed: orNull(object({ at: time, detail: plain() })),
    }),
  ),
);

const gatewayAbout = named(
  'GatewayAbout',
  object({
    version: plain(),
    build: orNull(plain()),
    node: plain(),
    store: object({
      engine: oneOf(['sqlite', 'postgres']),
      engineVersion: plain(),
      schemaVersion: whole(),
    }),
    /** Null for people who are not operators. */
    machine: orNull(
      object({
        platform: plain(),
        bytes: whole(),
        startedAt: time,
        now: plain(),
      }),
    ),
  }),
);

const healthFinding = named(
  'HealthFinding',
  object({
    what: plain(),
    ok: flag(),
    detail: plain(),
    fix: orNull(plain()),
  }),
);

export interface UpkeepParts {
  /** Facts about the running gateway, except the store. */
  made: { version: string; build: string | null; node: string; platform: string; startedAt: number };
  store: { storeFacts(): Promise<StoreFacts> };
  /** Runs every check of the machine again. */
  health(): Promise<Finding[]>;
  /** Null when no public URL is set. */
  testPublicUrl(): Promise<Finding | null>;
  /** Null when the store is not a file. */
  backups: BackupService | null;
  /** True when the machine's clock was in doubt; it is trusted from now on. */
  confirmClock?(): boolean;
}

export function upkeepRoutes(parts: UpkeepParts): PortalModule {
  return (routes, { clock }) => {
    routes.add({
      method: 'GET',
      path: '/about',
      access: 'read',
      answer: answers(gatewayAbout, 'What runs here'),
      work: async ({ may }) => {
        const { startedAt, platform, ...made } = parts.made;
        const { bytes, ...store } = await parts.store.storeFacts();
        // Size and age of the gateway concern all companies together, so only operators see them.
        const operators = { platform, bytes, startedAt: isoTime(startedAt), now: isoTime(clock.now()) };
        return success('What runs here.', { ...made, store, machine: may('operator') ? operators : null });
      },
    });

    routes.add({
      method: 'GET',
      path: '/health',
      access: 'operator',
      answer: answers(list(healthFinding), 'What was looked at, and what is wrong'),
      work: async () => {
        const findings = await parts.health();
        const ill = findings.filter(({ ok }) => !ok).length;
        return success(ill === 0 ? 'All is well.' : `${ill} of ${findings.length} are not well.`, findings);
      },
    });

    routes.add({
      method: 'POST',
      path: '/clock/confirm',
      access: 'operator',
      body: ownBody(null, { optional: true }),
      answer: answers(object({}), 'The clock is believed from now on'),
      work: async ({ audit }) => {
        if (parts.confirmClock?.() !== true) {
          return rejection('NOT_FOUND', 'The clock of this machine needs no confirmation. Nothing was changed.');
        }
        await audit({ what: 'clock.confirmed', target: 'clock' });
        return success(
          'The gateway trusts the clock of this machine from now on. Messages past their validity end now.',
          {},
        );
      },
    });

    routes.add({
      method: 'POST',
      path: '/public-url/test',
      access: 'manageCompany',
      body: ownBody(null, { optional: true }),
      answer: answers(healthFinding, 'What came of it'),
      work: async () => {
        const found = await parts.testPublicUrl();
        if (found === null) return rejection('NOT_FOUND', 'No public URL is set: HELIO_PUBLIC_URL.');
        return success(found.detail, found);
      },
    });

    backupRoutes(routes, parts);
  };
}

function backupRoutes(routes: PortalRoutes, parts: UpkeepParts): void {
  routes.add({
    method: 'GET',
    path: '/backups',
    access: 'operator',
    answer: answers(storeBackups, 'The backups there are'),
    work: async () => {
      const { backups } = parts;
      const { engine, bytes } = await parts.store.storeFacts();
      if (backups === null) return success('Back up PostgreSQL with its own tools.', { engine, bytes, folder: null });
      const now = await backups.now();
      return success(`${counted(now.backups.length, 'backup')}.`, {
        engine,
        bytes,
        folder: backups.folder,
        ...shownNow(now),
      });
    },
  });

  routes.add({
    method: 'POST',
    path: '/backups',
    access: 'operator',
    audit: ['backup.made'],
    body: ownBody(null, { optional: true }),
    answer: answers(object({ name: plain() }), 'It is being made. Messages go on meanwhile'),
    work: async ({ audit }) => {
      const { backups } = parts;
      if (backups === null) return notHere;
      const started = await backups.start();
      switch (started.kind) {
        case 'running':
          return conflict('A backup is being made already. Wait for it.');
        case 'no room':
          return conflict(
            `The disk has too little space: the backup needs ${inGigabytes(started.neededBytes)}, and ${inGigabytes(started.freeBytes)} are free. Delete older backups or make room.`,
          );
        case 'started':
          await audit({ what: 'backup.made', target: started.name });
          return success('The backup is running. Messages are sent meanwhile.', { name: started.name });
      }
    },
  });

  // Called before the browser opens the download link, because a link cannot ask for the password.
  routes.add({
    method: 'POST',
    path: '/backups/:name/download',
    access: fresh('operator'),
    body: ownBody(null, { optional: true }),
    answer: answers(object({}), 'It may be downloaded now'),
    work: (call) =>
      parts.backups?.read(param(call, 'name')) == null ? noBackup : success('You can download it now.', {}),
  });

  routes.add({
    method: 'GET',
    path: '/backups/:name',
    access: fresh('operator'),
    answer: answersRaw('application/vnd.sqlite3', 'The backup'),
    work: async (call) => {
      const name = param(call, 'name');
      const file = parts.backups?.read(name) ?? null;
      if (file === null) return noBackup;
      await call.audit({ what: 'backup.downloaded', target: name });
      return sendFile(call, name, file);
    },
  });

  routes.add({
    method: 'DELETE',
    path: '/backups/:name',
    access: fresh('operator'),
    answer: answers(object({}), 'The backup is deleted'),
    work: async (call) => {
      const { audit } = call;
      const name = param(call, 'name');
      if (parts.backups?.remove(name) !== true) return noBackup;
      await audit({ what: 'backup.deleted', target: name });
      return success('The backup is deleted.', {});
    },
  });
}

async function sendFile({ exchange }: PortalCall, name: string, file: NonNullable<ReturnType<BackupService['read']>>) {
  const stream = exchange.stream({
    contentType: 'application/vnd.sqlite3',
    headers: ['Content-Disposition', `attachment; filename="${name}"`],
  });
  if (stream === null) return streamed;
  let gone = false;
  exchange.whenOver(() => {
    gone = true;
  });
  try {
    for await (const piece of file.pieces()) {
      if (gone) break;
      if (!stream.write(piece)) await stream.drained();
    }
    stream.end();
  } catch {
    stream.abort();
  }
  return streamed;
}

function shownNow({ backups, runningSince, failed }: BackupsNow) {
  return {
    backups: backups.map((one) => ({ ...one, at: isoTime(one.at) })),
    runningSince: runningSince === null ? null : isoTime(runningSince),
    failed: failed === null ? null : { ...failed, at: isoTime(failed.at) },
  };
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

const noBackup = rejection('NOT_FOUND', 'There is no backup with this name.');
const notHere = rejection('NOT_FOUND', 'The store is PostgreSQL: back it up with pg_dump.');
