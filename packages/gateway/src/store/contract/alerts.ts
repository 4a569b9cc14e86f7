/** Contract: alerts with their events, mails, history and silences. */
import { describe, expect, it } from 'vitest';
import type { Alert, AlertSilence } from '../../model/alert.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import type { AlertStep } from '../../subjects/alerts/store/items.ts';
import { hour, minute, newEvent, nextId, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const alert = (fields: Partial<Alert> = {}): Alert => ({
  alertId: nextId('alr'),
  kind: 'link',
  subject: 'c1',
  environment: 'live',
  value: 100,
  limit: 100,
  detail: 'Carrier “c1” cannot be reached.',
  firedAt: start,
  resolvedAt: null,
  isTold: true,
  ...fields,
});

const silence = (fields: Partial<AlertSilence> = {}): AlertSilence => ({
  silenceId: nextId('sil'),
  kind: 'link',
  subject: null,
  at: start,
  until: start + hour,
  who: 'ada@example.com',
  ...fields,
});

const audit: NewAuditEntry = {
  ...{ at: start, accountId: 'acc1', userId: 'usr_1', who: 'ada@example.com', what: 'alert.silenced', target: 'link' },
  ...{ before: null, after: null, address: null, requestId: null },
};

export function alertsContract(factory: StoreFactory): void {
  describe('alerts', () => {
    const world = useWorld(factory);
    const step = (...steps: AlertStep[]) => world.store.stepAlerts(steps);
    const fire = (fired: Alert, more: Partial<Extract<AlertStep, { step: 'fire' }>> = {}): AlertStep => ({
      ...{ step: 'fire', alert: fired, events: [], mail: false },
      ...more,
    });
    const resolve = (alertId: string, at: number, mail = false): AlertStep => ({
      ...{ step: 'resolve', alertId, at, events: [], mail },
    });
    const history = () => world.store.alertHistory({ before: null, limit: 100 });
    const eventTypes = async () =>
      (await world.store.eventsAfter({ after: 0, limit: 1_000 })).events.map(({ eventId }) => eventId);

    it('fire once for a kind and a subject, with their events, after a restart too', async () => {
      const [one, other, same] = [alert(), alert({ subject: 'c2' }), alert()];
      const [event, ignored] = [newEvent(), newEvent()];
      expect(await step(fire(one, { events: [event] }), fire(other))).toEqual([true, true]);
      await world.restart();
      expect(await step(fire(same, { events: [ignored] }))).toEqual([false]);
      expect(await world.store.firingAlerts()).toEqual([other, one]);
      expect(await eventTypes()).toEqual([event.eventId]);
    });

    it('resolve once, stay in the history, and may fire again', async () => {
      const [one, again] = [alert(), alert({ firedAt: start + hour })];
      await step(fire(one));
      expect(await step(resolve(one.alertId, start + minute))).toEqual([true]);
      expect(await step(resolve(one.alertId, start + hour))).toEqual([false]);
      expect(await world.store.firingAlerts()).toEqual([]);
      expect(await step(fire(again))).toEqual([true]);
      expect(await history()).toEqual([again, { ...one, resolvedAt: start + minute }]);
      const other = alert({ subject: 'c2', firedAt: start + hour });
      await step(fire(other));
      expect(await world.store.alertHistory({ before: null, subject: 'c2', limit: 9 })).toEqual([other]);
      expect(await world.store.alertHistory({ before: again.alertId, subject: 'c1', limit: 9 })).toHaveLength(1);
      expect(await world.store.alertHistory({ before: again.alertId, limit: 1 })).toMatchObject([
        { alertId: one.alertId },
      ]);
    });

    it('that fired silently are sent once, while they fire', async () => {
      const one = alert({ isTold: false });
      const event = newEvent();
      const notify = (): AlertStep => ({
        ...{ step: 'notify', alertId: one.alertId, at: start + 9, events: [event], mail: true },
      });
      await step(fire(one));
      expect(await world.store.dueAlertMail({ now: start + hour, limit: 9 })).toEqual([]);
      expect(await step(notify())).toEqual([true]);
      expect(await step(notify())).toEqual([false]);
      expect(await eventTypes()).toEqual([event.eventId]);
      expect(await world.store.dueAlertMail({ now: start + 9, limit: 9 })).toEqual([
        { alert: { ...one, isTold: true }, state: 'firing', tries: 0 },
      ]);
      await step(resolve(one.alertId, start + minute));
      expect(await step(notify())).toEqual([false]);
    });

    it('keep a mail due until it is noted, and then the newer state of the alert', async () => {
      const one = alert();
      await step(fire(one, { mail: true }));
      const due = (now: number) => world.store.dueAlertMail({ now, limit: 9 });
      const note = (dueAt: number | null, tries: number) =>
        world.store.noteAlertMail([{ alertId: one.alertId, state: 'firing', tries, dueAt }]);
      expect(await due(start - 1)).toEqual([]);
      expect(await due(start)).toMatchObject([{ state: 'firing', tries: 0 }]);
      await note(start + minute, 1);
      expect(await due(start + minute - 1)).toEqual([]);
      expect(await due(start + minute)).toMatchObject([{ state: 'firing', tries: 1 }]);
      // Resolved while the mail was being sent: the next mail reports it.
      await step(resolve(one.alertId, start + hour, true));
      await note(null, 2);
      expect(await due(start + hour)).toMatchObject([{ state: 'resolved', tries: 0 }]);
      await world.store.noteAlertMail([{ alertId: one.alertId, state: 'resolved', tries: 1, dueAt: null }]);
      expect(await due(start + 9 * hour)).toEqual([]);
    });

    it('are forgotten when they are old or too many, but not while they fire', async () => {
      const old = [alert(), alert({ subject: 'c2' }), alert({ subject: 'c3' })];
      await step(...old.map((one) => fire(one)));
      await step(...old.slice(1).map(({ alertId }) => resolve(alertId, start + minute)));
      const young = ['c4', 'c5'].map((subject) => alert({ subject, firedAt: start + hour }));
      await step(...young.map((one) => fire(one)));
      await step(...young.map(({ alertId }) => resolve(alertId, start + 2 * hour)));
      const forget = (before: number, keep: number) =>
        world.store.forgetAlerts({ before, keep, now: start, limit: 100 });
      const subjects = async () => (await history()).map(({ subject }) => subject);
      expect(await forget(start + minute, 100)).toBe(0);
      expect(await forget(start + hour, 100)).toBe(2);
      expect(await subjects()).toEqual(['c5', 'c4', 'c1']);
      expect(await forget(0, 1)).toBe(1);
      expect(await subjects()).toEqual(['c5', 'c1']);
    });

    it('are silenced until a time or an end, of which the audit log tells', async () => {
      const [one, all] = [silence(), silence({ kind: null, subject: null, until: start + 2 * hour })];
      const of = silence({ kind: null, subject: 'c1', until: start + minute });
      for (const made of [one, all, of]) {
        expect(await world.store.changeSilence({ change: 'put', silence: made, audit })).toBe(true);
      }
      await world.restart();
      expect(await world.store.alertSilences(start)).toEqual([of, one, all]);
      expect(await world.store.alertSilences(start + minute)).toEqual([one, all]);
      const end = { change: 'end', silenceId: one.silenceId, audit: { ...audit, what: 'alert.unsilenced' } } as const;
      expect(await world.store.changeSilence(end)).toBe(true);
      expect(await world.store.changeSilence(end)).toBe(false);
      expect(await world.store.alertSilences(start + minute)).toEqual([all]);
      const page = await world.store.audit({ accountId: 'acc1', before: null, limit: 9 } as never);
      expect(page.entries.map(({ what }) => what)).toEqual([
        'alert.unsilenced',
        ...new Array(3).fill('alert.silenced'),
      ]);
    });

    it('have no more silences than the limit', async () => {
      const put = () => world.store.changeSilence({ change: 'put', silence: silence(), audit });
      const made = await Promise.all(Array.from({ length: 101 }, put));
      expect(made.filter((one) => !one)).toHaveLength(1);
      expect(await world.store.alertSilences(start)).toHaveLength(100);
      await world.store.forgetAlerts({ before: 0, keep: 9, now: start + hour, limit: 9 });
      expect(await world.store.alertSilences(0)).toEqual([]);
    });

    it('know the oldest waiting message of each queue', async () => {
      await world.accept({ lane: 'c1' });
      world.clock.set(start + minute);
      await world.accept({ lane: 'c1' });
      await world.claimed({ lane: 'c2' });
      // The journal's contents are moved into the database first.
      await world.restart();
      expect(await world.store.oldestDue(['c1', 'c2', 'none'])).toEqual([
        { lane: 'c1', dueAt: start },
        { lane: 'c2', dueAt: null },
        { lane: 'none', dueAt: null },
      ]);
    });
  });
}
