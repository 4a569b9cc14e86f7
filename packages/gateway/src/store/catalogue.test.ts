/**
 * The properties of every operation, listed by name, so that a new one cannot get its place in the transaction, or in
 * memory, by accident.
 */
import { describe, expect, it } from 'vitest';
import { catalogue } from '../app/modules.ts';
import { emptyFilter } from '../model/message-search.ts';
import { catalogueOf, mergeGroups, type WriteCall } from './catalogue.ts';
import { acceptItem, start } from './contract/fixture.ts';
import { storeModule } from './module.ts';

const writes = catalogue.order;
const reads = catalogue.modules.flatMap((module) => Object.keys(module.reads));
const withFacet = (is: (write: ReturnType<typeof catalogue.write>) => boolean) =>
  writes.filter((name) => is(catalogue.write(name)));

describe('writes', () => {
  it('run in this order inside a transaction', () => {
    const moves =
      'accept gather inbound inboundMms settle receipts knownReceipts lookUpReceipts earlyReceipts recover sweep decide matchReceipt relane treatWaiting takeOwned makeDue';
    const notes = `announceNode planOwners giveUpOwned keepAnswer dropAnswers lendPace countPace putRecords editRecords putSetting takeOfDay probe notePostgresState changeConsent changePeople addEvents fanOut recordAttempts
      replayWebhooks forgetWebhooks addFittedMedia addMediaLinks forgetMedia addUsage addHourly markThread forgetMessages forgetEvents
      forgetBeside addErasure erase addDemo removeDemo addRequests forgetRequests maskRequests stepAlerts noteAlertMail changeSilences forgetAlerts
      putContacts removeContacts putCannedReplies removeCannedReplies addCarrierHistory forgetCarrierHistory`;
    expect(writes).toEqual(`${moves} ${notes} prepareMedia claim`.split(/\s+/));
  });

  it('are kept in memory, skip it, or erase, only if named here', () => {
    expect(withFacet(({ journal }) => journal === 'kept')).toEqual(['accept', 'settle', 'claim']);
    expect(withFacet(({ journal }) => journal === 'behind')).toEqual([
      'receipts',
      'knownReceipts',
      'lookUpReceipts',
      'earlyReceipts',
    ]);
    expect(withFacet(({ journal }) => journal === 'apart').sort()).toEqual(
      'addCarrierHistory addHourly addRequests addUsage changePeople changeSilences countPace fanOut forgetAlerts forgetCarrierHistory forgetRequests lendPace maskRequests noteAlertMail notePostgresState putCannedReplies putContacts putSetting recordAttempts removeCannedReplies removeContacts takeOfDay'.split(
        ' ',
      ),
    );
    expect(withFacet(({ erases }) => erases === true)).toEqual([
      'forgetMessages',
      'forgetEvents',
      'forgetBeside',
      'erase',
    ]);
  });

  it('are open to a tool, add events, or carry bytes, only if named here', () => {
    expect(withFacet(({ tool }) => tool === true).sort()).toEqual(
      'changePeople editRecords gather probe putRecords putSetting'.split(' '),
    );
    expect(withFacet(({ events }) => events !== undefined)).toEqual(
      `inbound inboundMms settle receipts knownReceipts lookUpReceipts earlyReceipts recover sweep decide matchReceipt treatWaiting takeOwned changeConsent addEvents stepAlerts prepareMedia`.split(
        ' ',
      ),
    );
    expect(withFacet(({ bytes }) => bytes === true)).toEqual(['inbound']);
    expect(withFacet(({ sends }) => sends === true)).toEqual(['accept']);
    expect(withFacet(({ whole }) => whole === true)).toEqual(['settle']);
    expect(withFacet(({ unhurried }) => unhurried === true)).toEqual(['settle']);
    expect(withFacet(({ shares }) => shares === true)).toEqual(['accept']);
  });
});

describe('reads', () => {
  it('need the newest rows, except those named here', () => {
    const search = { filter: emptyFilter(), ownNumbers: [] };
    const newest = reads.filter((name) => catalogue.needsOf(name, [search], 0) !== 'nothing');
    expect(newest.sort()).toEqual(
      `queued queueCounts message messages unmatchedReceipts receiptCandidates carrierErrors newestSent eventsAfter
      accountEvents eventPosition replayable outcomes threads thread readRequests unreadCount threadMessages numberTraffic queuedFrom
      positionAt handedOver waitingFor countMessages searchMessages messagesReach webhooksOf receiptTimes sentWith refusedRecipients refusedCounts
      searchRefused stuckMessages forgettable forgettableEvents hasUnfinished storedBeside erasable
      removableDemo storeFacts newestEventAt`
        .split(/\s+/)
        .sort(),
    );
  });

  it('of overdue messages need them when nothing was committed for long', () => {
    const needs = [0, 29_999, 30_000, 1e9].map((since) => catalogue.needsOf('overdue', [{}], since));
    expect(needs).toEqual(['nothing', 'nothing', 'newest', 'newest']);
  });

  it('of events need them when messages in memory may have some', () => {
    const needs = (types: unknown) => catalogue.needsOf('eventsAfter', [{ types }], 0);
    expect([undefined, null, ['message.sent'], ['message.failed', 'message.sent']].map(needs)).toEqual(
      new Array(4).fill('newest'),
    );
    expect([[], ['message.failed'], ['carrier.down']].map(needs)).toEqual(new Array(3).fill('nothing'));
  });
});

describe('a catalogue', () => {
  const run = function* () {
    yield* [];
    return 1;
  };
  const module = (name: string) => storeModule({ name, writes: {}, reads: { twice: { run } } });

  it('has no two operations of one name', () => {
    expect(() => catalogueOf([module('one'), module('other')])).toThrow('two operations of the store are named twice');
  });

  it('says which operation it does not have', () => {
    expect(() => catalogue.write('reads')).toThrow('the store has no operation reads');
    expect(() => catalogue.lookUp('accept', [])).toThrow('the store has no operation accept');
  });
});

const settings = (...names: string[]): WriteCall => ({
  kind: 'putSetting',
  items: names.map((name) => ({ name, value: '' })),
});
const claims = (...lanes: string[]): WriteCall => ({
  kind: 'claim',
  items: lanes.map((lane) => ({ lane, limit: 1, now: 0, token: 1 })),
});
/** One result per item, with the item's name. */
const answered = (calls: readonly WriteCall[]) =>
  calls.map(({ items }) => (items as { name?: string; lane?: string }[]).map((item) => item.name ?? item.lane));

describe('mergeGroups', () => {
  it('puts the calls of one kind together, in the order of kinds, and gives each group its own results', () => {
    const groups = [[claims('c1')], [settings('a', 'b'), claims('c2')], [settings('c')], []];
    const merged = mergeGroups(groups, catalogue.order);
    expect(merged.calls).toEqual([settings('a', 'b', 'c'), claims('c1', 'c2')]);
    expect(merged.split(answered(merged.calls))).toEqual([[['c1']], [['a', 'b'], ['c2']], [['c']], []]);
  });
});

describe('rowsOf', () => {
  it('counts the deliveries of an accept, and else the items', () => {
    expect(
      catalogue.rowsOf({
        kind: 'accept',
        items: [acceptItem(start, { recipients: ['1', '2', '3'] }), acceptItem(start, {})],
      }),
    ).toBe(6);
    expect(catalogue.rowsOf(claims('c1', 'c2'))).toBe(2);
  });
});
