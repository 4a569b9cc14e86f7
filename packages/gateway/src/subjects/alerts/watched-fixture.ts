/** A watch over test carriers, on a real store (SQLite) and a clock that the test moves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { MovedClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { createIds } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { LaneReport, ReceiptGap } from '../../messaging/send-queue/lane-meter.ts';
import type { Alert, AlertRule } from '../../model/alert.ts';
import type { User } from '../../model/people.ts';
import { noRecords } from '../../model/records.ts';
import { acme, carrier as carrierRecord } from '../../model/world-fixture.ts';
import { createAlertFigures } from './alert-figures.ts';
import { day, second } from './alert-fixture.ts';
import { createAlertMail } from './alert-mail.ts';
import { createAlertWatch } from './alert-watch.ts';
import type { Mail } from './mailer.ts';
import { createOperators } from './operators.ts';
import { createUsualDelays } from './usual-delays.ts';

/** The source of the figures; a test may change it. */
export interface Scene {
  /** By carrier id. */
  reports: Map<string, () => LaneReport | null>;
  gaps: Map<string, () => ReceiptGap>;
  paused: Set<string>;
  rules: AlertRule[];
  /** Since when the oldest message of a carrier has been due; absent = none. */
  due: Map<string, number>;
  freeBytes: number;
  certificateEndsAt: number | null;
  /** Percent by company. */
  budgets: Map<string, number>;
  acts: boolean;
  /** Takes mails; null = mail is not configured. */
  takeMail: ((mail: Mail) => Promise<void>) | null;
}

export interface Watched {
  readonly scene: Scene;
  readonly store: Store;
  /** Moves the clock, with a look every five seconds. */
  pass(ms: number): Promise<void>;
  /** `link c1 firing` and the like, in the order of the events. */
  notices(): Promise<string[]>;
  /** All alerts that fired, oldest first. */
  history(): Promise<Alert[]>;
  /** A new process on the same store: the watch starts again, with new figures. */
  restart(): Promise<void>;
}

export const operator: User = {
  ...{ userId: 'usr_1', accountId: acme.accountId, email: 'ada@example.com', name: 'Ada', role: 'Owner' },
  ...{ operator: true, passwordHash: '$argon2id$…', totp: null, passkeys: [], identity: null },
  ...{ recoveryHashes: [], timeZone: null, language: null },
  ...{ singleKeys: true, createdAt: 0, disabledAt: null, lastSignInAt: null, version: 0 },
};

export function sceneOf(clock: MovedClock, more: Partial<Scene> = {}): Scene {
  return {
    ...{ reports: new Map(), gaps: new Map(), paused: new Set(), rules: [], due: new Map(), budgets: new Map() },
    ...{ freeBytes: 50e9, certificateEndsAt: clock.now() + 60 * day, acts: true, takeMail: null },
    ...more,
  };
}

/** Adds the operators to the store; by default one. */
export async function openWatched(
  clock: MovedClock,
  scene: Scene,
  people: readonly Partial<User>[] = [{}],
): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-alerts-'));
  let store = await openStore({ dataDir: folder, role: 'node', clock });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await store.changePeople(
    people.map((one, i) => ({
      ...{ rules: [], audit: [] },
      writes: [{ write: 'user', user: { ...operator, userId: `usr_${i}`, email: `op${i}@example.com`, ...one } }],
    })),
  );
  let watch = watchOver(clock, scene, store);
  await watch.start();
  return {
    scene,
    get store() {
      return store;
    },
    pass: async (ms) => {
      for (let passed = 0; passed < ms; passed += 5 * second) {
        clock.pass(5 * second);
        await watch.look();
      }
    },
    notices: async () => {
      const { events } = await store.eventsAfter({ after: 0, limit: 1_000 });
      return events.map(({ type, accountId, data }) => {
        const of = data!.carrierId ?? data!.accountId ?? 'gateway';
        return `${type.replace('alert.', '')} ${String(of)} ${String(data!.state)} to ${accountId}`;
      });
    },
    history: async () => (await store.alertHistory({ before: null, limit: 1_000 })).reverse(),
    restart: async () => {
      await watch.stop();
      await store.close();
      store = await openStore({ dataDir: folder, role: 'node', clock });
      watch = watchOver(clock, scene, store);
      await watch.start();
    },
  };
}

/** The watch's own timer never fires: the fixture calls each look itself. */
function watchOver(clock: MovedClock, scene: Scene, store: Store) {
  const still = { now: clock.now, monotonicMs: clock.monotonicMs, after: () => () => {} };
  const directory = () =>
    buildDirectory({
      version: 1,
      ...noRecords(),
      accounts: [...scene.budgets.keys()].map((accountId) => ({ ...acme, accountId, monthlyBudget: '100' })),
      carriers: [...scene.reports.keys()].map((carrierId) => carrierRecord(carrierId)),
      alerts: scene.rules,
    });
  const operators = createOperators(store);
  const usual = createUsualDelays({ clock, store });
  const mail = createAlertMail({
    ...{ clock, logger: silentLogger, store, operators, to: [], publicUrl: 'https://sms.example' },
    mailer: scene.takeMail === null ? null : { send: (one) => scene.takeMail!(one) },
  });
  const gather = createAlertFigures({
    ...{ clock, directory, usual },
    store: {
      oldestDue: async (lanes) => lanes.map((lane) => ({ lane, dueAt: scene.due.get(lane) ?? null })),
    },
    lanes: {
      report: (carrierId) => scene.reports.get(carrierId)?.() ?? null,
      receiptGap: (carrierId) => scene.gaps.get(carrierId)?.() ?? null,
      isPaused: (carrierId) => scene.paused.has(carrierId),
    },
    freeBytes: () => scene.freeBytes,
    certificateEndsAt: () => scene.certificateEndsAt,
    budgetOf: async ({ accountId }) => ({
      ...{ monthly: '100', currency: 'USD', spent: '0' },
      percent: scene.budgets.get(accountId) ?? 0,
    }),
  });
  const place = { ...store.place, acts: () => scene.acts };
  return createAlertWatch({
    ...{ clock: still, logger: silentLogger, directory, gather, operators, usual, mail, doubt: () => null },
    ids: createIds(clock, machineRandom),
    store: { ...store, place },
  });
}
