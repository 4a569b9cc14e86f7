/** The operator's alert pages over HTTP and a real store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import { type Browser, openPortalWorld, type PortalWorld, type WorldParts } from '../../http/portal/portal-fixture.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { type Alert, alertKinds } from '../../model/alert.ts';
import type { Directory } from '../../model/directory.ts';
import { noRecords } from '../../model/records.ts';
import { createRecordsService } from '../operator/records-service.ts';
import { judgeAlert } from '../records/form.ts';
import { alertRoutes } from './alert-routes.ts';
import { createAlertService } from './alert-service.ts';

let world: PortalWorld;
let operator: Browser;
let directory: Directory;
let mailFault: string | null;
let mails: string[];

async function refresh(): Promise<void> {
  directory = buildDirectory(await world.store.records());
}

beforeEach(async () => {
  mailFault = null;
  mails = [];
  world = await openPortalWorld({ modules });
  await world.store.putRecords({ ...noRecords(), ...world.records, numbers: [] });
  await refresh();
  operator = await world.as('Owner');

  function modules({ clock, store }: WorldParts) {
    const mail = {
      isOn: true,
      recipients: async () => ['ops@example.com'],
      test: async (to: string) => {
        mails.push(to);
        return mailFault;
      },
    };
    const records = createRecordsService({ clock, store, refresh: () => refresh() });
    const ids = createIds(clock, machineRandom);
    const service = createAlertService({
      ...{ clock, ids, store, records, mail, judge: judgeAlert },
      directory: () => directory,
    });
    return [alertRoutes(service)];
  }
});
afterEach(() => world.close());

const id = (n: number) => `alr_${String(n).padStart(26, '0')}`;
const fire = (n: number, more: Partial<Alert> = {}) =>
  world.store.stepAlerts([
    {
      ...{ step: 'fire', events: [], mail: false },
      alert: {
        ...{ alertId: id(n), kind: 'link', subject: `c${n}`, environment: 'live', value: 100, limit: 100 },
        ...{ detail: 'It is down.', firedAt: world.clock.now(), resolvedAt: null, isTold: true },
        ...more,
      },
    },
  ]);
const now = async () => (await operator.call('GET', '/alerts')).json.data;
const ruleOf = async (kind: string) => (await now()).rules.find((rule: { kind: string }) => rule.kind === kind);
const audited = async () =>
  (await world.store.audit({ accountId: world.user('Owner').accountId, before: null, limit: 50 } as never)).entries
    .filter(({ what }) => what.startsWith('alert.'))
    .map(({ what, target, before, after }) => ({ what, target, before, after }));

describe('/alerts', () => {
  it('shows what fires, the rules with their bounds, and who is mailed', async () => {
    await fire(1);
    const { firing, silences, rules, mail } = await now();
    expect(firing).toMatchObject([{ kind: 'link', subject: 'c1', unit: 'percent', resolvedAt: null }]);
    expect(silences).toEqual([]);
    expect(rules.map(({ kind }: { kind: string }) => kind)).toEqual([...alertKinds]);
    expect(await ruleOf('disk')).toMatchObject({
      ...{ enabled: true, limit: 1_000, forSeconds: 60, unit: 'megabytes', min: 1 },
      byDefault: { limit: 1_000, forSeconds: 60 },
    });
    expect(mail).toEqual({ isOn: true, to: ['ops@example.com'] });
  });

  it('shows the history page by page, newest first', async () => {
    for (const n of [1, 2, 3]) await fire(n);
    const first = await operator.call('GET', '/alerts/history?limit=2');
    expect(first.json.data.map(({ alertId }: Alert) => alertId)).toEqual([id(3), id(2)]);
    const rest = await operator.call('GET', `/alerts/history?limit=2&before=${first.json.next}`);
    expect(rest.json.data.map(({ alertId }: Alert) => alertId)).toEqual([id(1)]);
    expect(rest.json.next ?? null).toBeNull();
    const ofOne = await operator.call('GET', '/alerts/history?subject=c2');
    expect(ofOne.json.data.map(({ alertId }: Alert) => alertId)).toEqual([id(2)]);
    for (const query of ['limit=0', 'before=yesterday']) {
      expect((await operator.call('GET', `/alerts/history?${query}`)).json.reason).toBe('INVALID_FIELD');
    }
  });

  it('is for operators only', async () => {
    const owner = await world.as('Admin');
    const calls = [
      ...[
        ['GET', '/alerts'],
        ['GET', '/alerts/history'],
      ],
      ...['/alerts/rules/disk', '/alerts/silences', '/alerts/test-mail'].map((path) => ['POST', path]),
      ['DELETE', '/alerts/silences/sil_1'],
    ] as [string, string][];
    for (const [method, path] of calls) {
      expect((await owner.call(method as 'GET', path, method === 'GET' ? undefined : {})).status, path).toBe(403);
    }
  });
});

describe('a rule', () => {
  const save = (kind: string, record: object, version?: string) =>
    operator.call('POST', `/alerts/rules/${kind}`, { record, version });

  it('is changed, applies at once, and is recorded in the audit log', async () => {
    const { version } = await ruleOf('disk');
    expect((await save('disk', { limit: 5_000 }, version)).status).toBe(200);
    expect(await ruleOf('disk')).toMatchObject({ enabled: true, limit: 5_000, forSeconds: 60 });
    expect(directory.records.alerts).toEqual([{ alertId: 'disk', enabled: true, limit: 5_000, forSeconds: 60 }]);
    expect(await audited()).toEqual([
      { what: 'alert.changed', target: 'disk', before: { limit: 1_000 }, after: { limit: 5_000 } },
    ]);
  });

  it('is not changed over somebody else’s change, nor by a wrong value', async () => {
    const { version } = await ruleOf('errors');
    await save('errors', { enabled: false }, version);
    const late = await save('errors', { limit: 50 }, version);
    expect([late.status, late.json.data.current]).toMatchObject([409, { enabled: false, limit: 20 }]);
    const newer = (await ruleOf('errors')).version;
    const over = await save('errors', { limit: 101 }, newer);
    expect(over.json.fields).toEqual({
      form: 'Its limit is 101; allowed: a whole number from 1 to 100 (percent).',
    });
    expect(Object.keys((await save('errors', { limit: 'many' }, newer)).json.fields)).toEqual(['limit']);
    expect((await save('fire', {}, newer)).json.reason).toBe('NOT_FOUND');
  });

  it('that is saved as it is changes nothing', async () => {
    const { version, limit, forSeconds, enabled } = await ruleOf('link');
    expect((await save('link', { limit, forSeconds, enabled }, version)).status).toBe(200);
    expect(directory.records.alerts).toEqual([]);
    expect(await audited()).toEqual([]);
  });
});

describe('a silence', () => {
  const put = (body: object) => operator.call('POST', '/alerts/silences', body);

  it('is set for a kind, for one subject, or for all, and ended', async () => {
    const one = await put({ kind: 'link', subject: 'c1', minutes: 60 });
    await put({ minutes: 5 });
    const { silences } = await now();
    expect(silences).toMatchObject([
      { kind: null, subject: null, who: world.user('Owner').email },
      { kind: 'link', subject: 'c1' },
    ]);
    const { silenceId } = one.json.data;
    expect((await operator.call('DELETE', `/alerts/silences/${silenceId}`)).status).toBe(200);
    expect((await operator.call('DELETE', `/alerts/silences/${silenceId}`)).status).toBe(404);
    expect((await now()).silences).toHaveLength(1);
    expect(await audited()).toMatchObject([
      ...[
        { what: 'alert.unsilenced', target: silenceId },
        { what: 'alert.silenced', target: 'all' },
      ],
      { what: 'alert.silenced', target: 'link', after: { kind: 'link', subject: 'c1', minutes: 60 } },
    ]);
  });

  it.each([
    [{ minutes: 0 }, 'minutes'],
    [{ minutes: 7 * 24 * 60 + 1 }, 'minutes'],
    [{}, 'minutes'],
    [{ kind: 'fire', minutes: 5 }, 'kind'],
  ])('is refused: %j', async (body, field) => {
    const answer = await put(body);
    expect([answer.status, Object.keys(answer.json.fields)]).toEqual([400, [field]]);
    expect((await now()).silences).toEqual([]);
  });
});

describe('a mail of a test', () => {
  it('goes to the requesting person, and reports errors', async () => {
    const sent = await operator.call('POST', '/alerts/test-mail', {});
    expect([sent.status, sent.json.data]).toEqual([200, { to: world.user('Owner').email }]);
    mailFault = '535 Authentication failed';
    const refused = await operator.call('POST', '/alerts/test-mail', {});
    expect([refused.status, refused.json.detail]).toEqual([409, 'The mail was not taken: 535 Authentication failed']);
    expect(mails).toEqual([world.user('Owner').email, world.user('Owner').email]);
  });
});
