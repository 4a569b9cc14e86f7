/** Changes by another process on PostgreSQL: opt-outs and records, as the transactions of this process find them. */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '../app/modules.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { machineClock } from '../kernel/machine.ts';
import { consentOver } from '../messaging/consent/consent-fixture.ts';
import type { AcceptItem } from '../messaging/store/items.ts';
import { noRecords } from '../model/records.ts';
import { createPositions, type WriteContext } from './context.ts';
import { acceptItem, start } from './contract/fixture.ts';
import type { Answer } from './postgres-batch.ts';
import { useSchema } from './postgres-fixture.ts';
import { clientConfig } from './postgres-session.ts';
import { transaction } from './postgres-transaction.ts';
import { beginTurn, checkedTurn } from './postgres-turn.ts';

const scope = 'campaign:C1';
const contact = '14155550100';

const schema = useSchema();
let store: Store;
let other: Client;
beforeEach(async () => {
  store = await openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role: 'node', clock: machineClock });
  other = new Client(clientConfig(schema.databaseUrl, 'other', new Set()));
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await store.close();
});

let changes = 0;

/** Like a second node. */
async function changeElsewhere(to: 'out' | 'in'): Promise<void> {
  const change = { accountId: 'acc1', scope, contact, to, how: 'api', at: start, reason: '', evidenceMessageId: null };
  const positions = createPositions(0);
  const context: WriteContext = { token: store.token, now: start, positions, sending: new Map() };
  const begun = (answers: Answer[]) => {
    const { position, run, newest } = checkedTurn(answers, store.token);
    positions.goOn(position, run);
    context.newest = newest;
  };
  changes += 1;
  const call = { kind: 'changeConsent', items: [{ change, eventId: `evt_${changes}` }] };
  await transaction(other, catalogue.runGroup([call], context), { begin: beginTurn('node', ''), begun });
}

function judgedItem(version: number, key: string | null = null): AcceptItem {
  const item = acceptItem(start, key === null ? {} : { key: { key, bodyHash: 'aa', answer: 'first' } });
  return { ...item, judged: { scope, version } };
}

describe('an opt-out that another node has entered', () => {
  it('stops an accept that was judged before it, and nothing else', async () => {
    expect(await store.accept([judgedItem(0)])).toEqual([{ kind: 'stored' }]);
    await changeElsewhere('out');
    const elsewhere = { ...judgedItem(0), judged: { scope: 'number:1', version: 0 } };
    // The gateway judges the recipients again with the new list; the request then returns under its key.
    const results = await store.accept([judgedItem(0, 'k'), elsewhere, judgedItem(1, 'k'), judgedItem(0, 'k')]);
    expect(results).toEqual([
      { kind: 'opted out' },
      { kind: 'stored' },
      { kind: 'stored' },
      { kind: 'replay', answer: 'first' },
    ]);
    // What has no key waits in the journal until somebody looks.
    expect(await store.message('acc1', 'msg_none')).toBeNull();
    expect(await schema.server.query(schema.databaseUrl, 'select 1 from messages')).toHaveLength(3);
    expect(await store.accept([judgedItem(0, 'other')])).toEqual([{ kind: 'opted out' }]);
  });

  it('is seen also where nothing else tells that somebody wrote', async () => {
    await store.accept([judgedItem(0)]);
    await changeElsewhere('out');
    await schema.server.query(schema.databaseUrl, 'delete from events');
    expect(await store.accept([judgedItem(0)])).toEqual([{ kind: 'opted out' }]);
  });

  it('is over once it is lifted', async () => {
    await changeElsewhere('out');
    await changeElsewhere('in');
    expect(await store.accept([judgedItem(0)])).toEqual([{ kind: 'stored' }]);
  });

  it('is in the list of this node after a refresh, in the order of the changes', async () => {
    const { consent, isOut } = consentOver(store);
    await consent.load();
    await changeElsewhere('out');
    expect([isOut(scope, contact), consent.version()]).toEqual([false, 0]);
    await consent.refresh();
    expect([isOut(scope, contact), consent.version()]).toEqual([true, 1]);
    await changeElsewhere('in');
    await changeElsewhere('out');
    await changeElsewhere('in');
    await Promise.all([consent.refresh(), consent.refresh()]);
    expect([isOut(scope, contact), consent.version()]).toEqual([false, 4]);
  });
});

describe('what a transaction finds', () => {
  it('are the versions of opt-outs and records, also after another process changed them', async () => {
    await store.accept([acceptItem(start, {})]);
    expect(store.newest()).toEqual({ records: 0, consent: 0 });
    await changeElsewhere('out');
    const tool = await openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role: 'tool', clock: machineClock });
    const version = await tool.putRecords(noRecords());
    await tool.close();
    await store.accept([acceptItem(start, {})]);
    expect(store.newest()).toEqual({ records: version, consent: 1 });
  });
});
