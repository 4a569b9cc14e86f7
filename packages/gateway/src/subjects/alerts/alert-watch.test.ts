/** The watch on a real store: each event is sent once, and the history is kept. */
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import type { LaneReport } from '../../messaging/send-queue/lane-meter.ts';
import type { AlertSilence } from '../../model/alert.ts';
import { day, minute, second, well } from './alert-fixture.ts';
import { openWatched, type Scene, sceneOf } from './watched-fixture.ts';

const audit = {
  ...{ at: 0, accountId: 'acc1', userId: 'usr_1', who: 'ada@example.com', what: 'alert.silenced', target: 'link' },
  ...{ before: null, after: null, address: null, requestId: null },
};

/** The report of a carrier that is up, unless it is in the set. */
function reportOf(carrierId: string, down: ReadonlySet<string>): () => LaneReport {
  const bind = { state: 'bound_trx', detail: null, window: 10, inFlight: 0 };
  return () => ({
    status: { carrierId, up: !down.has(carrierId), binds: [bind] },
    ...{ since: 0, detail: null, inFlight: 0, outPerSecond: 0, inPerSecond: 0, outHistory: [], accepted: 0 },
    ...{ receipts: 0, tries: 0, refused: 0, throttled: 0, reported: null, responseP95Ms: null, silentSince: null },
  });
}

async function watched(more: Partial<Scene> = {}, people?: Parameters<typeof openWatched>[2]) {
  const clock = movedClock();
  const down = new Set<string>();
  const reports = new Map(['c1', 'c2'].map((carrierId) => [carrierId, reportOf(carrierId, down)]));
  const opened = await openWatched(clock, sceneOf(clock, { reports, ...more }), people);
  return { clock, down, ...opened, opened };
}

describe('a carrier that goes down', () => {
  it('fires after the time of its rule, once, and is over a minute after it is back', async () => {
    const { down, pass, notices, history } = await watched();
    down.add('c1');
    await pass(5 * minute);
    expect(await notices()).toEqual([]);
    await pass(10 * minute);
    expect(await notices()).toEqual(['link c1 firing to acc1']);
    down.clear();
    await pass(55 * second);
    expect(await notices()).toHaveLength(1);
    await pass(10 * second);
    expect(await notices()).toEqual(['link c1 firing to acc1', 'link c1 resolved to acc1']);
    const [alert] = await history();
    expect(alert).toMatchObject({ value: 100, limit: 100, detail: 'Carrier c1 cannot be reached.', isTold: true });
    expect(alert!.resolvedAt).toBeGreaterThan(alert!.firedAt + 5 * minute);
  });

  it('is not sent again by a restart, and its end is', async () => {
    const { down, pass, notices, restart, opened } = await watched();
    down.add('c1');
    await pass(6 * minute);
    await restart();
    await pass(10 * minute);
    expect(await notices()).toEqual(['link c1 firing to acc1']);
    down.clear();
    await restart();
    await opened.pass(2 * minute);
    expect(await notices()).toEqual(['link c1 firing to acc1', 'link c1 resolved to acc1']);
  });

  it('is looked at by the node that acts only, which knows what another one sent', async () => {
    const { down, scene, pass, notices } = await watched({ acts: false });
    down.add('c1');
    await pass(10 * minute);
    expect(await notices()).toEqual([]);
    scene.acts = true;
    await pass(6 * minute);
    expect(await notices()).toEqual(['link c1 firing to acc1']);
  });

  it('is no alert while a person paused it, or once it is off', async () => {
    const { down, scene, pass, notices } = await watched({ paused: new Set(['c1']) });
    down.add('c1').add('c2');
    scene.rules = [{ alertId: 'link', enabled: true, limit: 100, forSeconds: 30 }];
    await pass(minute);
    expect(await notices()).toEqual(['link c2 firing to acc1']);
    scene.rules = [{ alertId: 'link', enabled: false, limit: 100, forSeconds: 30 }];
    await pass(2 * minute);
    expect(await notices()).toEqual(['link c2 firing to acc1', 'link c2 resolved to acc1']);
  });

  it('is reported to each company with an enabled operator, and to no other', async () => {
    const { down, pass, notices } = await watched({}, [
      ...[{ accountId: 'acc1' }, { accountId: 'acc1' }, { accountId: 'acc2' }],
      ...[
        { accountId: 'acc3', disabledAt: 1 },
        { accountId: 'acc4', operator: false },
      ],
    ]);
    down.add('c1');
    await pass(6 * minute);
    expect((await notices()).sort()).toEqual(['link c1 firing to acc1', 'link c1 firing to acc2']);
  });
});

describe('a silence', () => {
  const put = async (opened: Awaited<ReturnType<typeof watched>>, silence: Partial<AlertSilence>) => {
    const { clock, store } = opened;
    const byDefault = { silenceId: 'sil_1', kind: null, subject: null, who: 'ada@example.com', at: clock.now() };
    await store.changeSilence({
      change: 'put',
      silence: { ...byDefault, until: clock.now() + 20 * minute, ...silence },
      audit,
    });
  };

  it('keeps an alert from being sent, and what still fires at its end is sent then', async () => {
    const opened = await watched();
    const { down, pass, notices, history } = opened;
    await put(opened, { kind: 'link', subject: 'c1' });
    down.add('c1').add('c2');
    await pass(10 * minute);
    expect(await notices()).toEqual(['link c2 firing to acc1']);
    expect((await history()).map(({ subject, isTold }) => [subject, isTold])).toEqual([
      ['c1', false],
      ['c2', true],
    ]);
    await pass(11 * minute);
    expect(await notices()).toEqual(['link c2 firing to acc1', 'link c1 firing to acc1']);
  });

  it('suppresses alerts that began and ended within it, and sends the end of those sent before', async () => {
    const opened = await watched();
    const { down, pass, notices, history } = opened;
    down.add('c1');
    await pass(6 * minute);
    await put(opened, {});
    down.add('c2');
    await pass(6 * minute);
    down.clear();
    await pass(2 * minute);
    await pass(20 * minute);
    expect(await notices()).toEqual(['link c1 firing to acc1', 'link c1 resolved to acc1']);
    expect((await history()).every(({ resolvedAt }) => resolvedAt !== null)).toBe(true);
  });
});

describe('the gateway itself', () => {
  it('fires when the disk is nearly full, and again only after it was over', async () => {
    const { scene, pass, notices } = await watched({ freeBytes: 900e6 });
    await pass(2 * minute);
    scene.freeBytes = 2e9;
    await pass(30 * second);
    scene.freeBytes = 900e6;
    await pass(2 * minute);
    expect(await notices()).toEqual(['disk gateway firing to acc1']);
    scene.freeBytes = 2e9;
    await pass(2 * minute);
    scene.freeBytes = 900e6;
    await pass(2 * minute);
    expect(await notices()).toEqual([
      ...['disk gateway firing to acc1', 'disk gateway resolved to acc1', 'disk gateway firing to acc1'],
    ]);
  });

  it('fires when its certificate, or that of a carrier, expires soon', async () => {
    const { scene, clock, pass, notices, history } = await watched();
    scene.certificateEndsAt = clock.now() + 3 * day;
    const { reports } = scene;
    const certificate = { validTo: clock.now() + 10 * day } as never;
    const report = reports.get('c2')!;
    reports.set('c2', () => ({ ...report()!, status: { ...report()!.status, certificate } }));
    await pass(5 * second);
    expect((await notices()).sort()).toEqual(['certificate c2 firing to acc1', 'certificate gateway firing to acc1']);
    expect((await history()).map(({ value }) => value).sort()).toEqual([2, 9]);
  });

  it('fires when a company has used most of its budget, and resolves with the new month', async () => {
    const { scene, pass, notices } = await watched({
      budgets: new Map([...Array(45).keys()].map((i) => [`a${i}`, 10])),
    });
    scene.budgets.set('a7', 85);
    await pass(3 * minute);
    expect(await notices()).toEqual(['budget a7 firing to acc1']);
    await pass(10 * minute);
    scene.budgets.set('a7', 0);
    await pass(10 * minute);
    expect(await notices()).toEqual(['budget a7 firing to acc1', 'budget a7 resolved to acc1']);
  });

  it('reports messages that wait too long', async () => {
    const { scene, clock, pass, notices } = await watched();
    scene.due.set('c2', clock.now());
    await pass(minute);
    expect(await notices()).toEqual([]);
    await pass(70 * second);
    expect(await notices()).toEqual(['backlog c2 firing to acc1']);
  });
});

describe('what is kept', () => {
  it('ends after 400 days', async () => {
    const { scene, clock, pass, history } = await watched({ freeBytes: 1 });
    await pass(2 * minute);
    scene.freeBytes = 50e9;
    await pass(2 * minute);
    expect(await history()).toHaveLength(1);
    scene.certificateEndsAt = null;
    clock.pass(400 * day);
    await pass(5 * second);
    expect(await history()).toHaveLength(0);
  });

  it('says what the usual delay of receipts was, after a restart too', async () => {
    const { scene, pass, restart, notices, history } = await watched();
    const { gap } = well;
    scene.gaps.set('c1', () => ({ ...gap!, usualMs: 4_000 }));
    await pass(11 * minute);
    await restart();
    // Nothing has been reported since the start.
    const silent = { ...gap!, isReported: false, usualMs: null, parts: 20, partsForMs: 11 * minute };
    scene.gaps.set('c1', () => silent);
    await pass(2 * minute);
    expect(await notices()).toEqual(['receipts c1 firing to acc1']);
    expect((await history())[0]!.detail).toContain('usually come within 4 s');
    // A restart during the silence: it is unknown whether the silence goes on.
    await restart();
    scene.gaps.set('c1', () => ({ ...silent, parts: 0, partsForMs: 0 }));
    await pass(30 * minute);
    scene.gaps.set('c1', () => ({ ...gap!, isReported: true }));
    expect(await notices()).toHaveLength(1);
    await pass(2 * minute);
    expect(await notices()).toEqual(['receipts c1 firing to acc1', 'receipts c1 resolved to acc1']);
  });
});
