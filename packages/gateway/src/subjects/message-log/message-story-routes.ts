/**
 * The background of a message, computed on request: routing rule, wire log, receipts, the carrier's state, usual
 * delivery time. Leaves out what is unknown.
 */
import { isoTime } from '../../http/envelope.ts';
import { success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { withoutTexts } from '../../http/portal/hidden-texts.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { answers } from '../../http/route.ts';
import type { TypeOf } from '../../http/shape.ts';
import { type AccountId, isMessageId, type MessageId } from '../../kernel/ids.ts';
import type { Lanes } from '../../messaging/send-queue/lanes.ts';
import { waitingOf } from '../../messaging/send-queue/waiting.ts';
import type { ReceiptTimes } from '../../messaging/store/message-log-items.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import { carrierIdKey } from '../../model/carrier-id.ts';
import type { Directory } from '../../model/directory.ts';
import type { MessageView } from '../../model/message-view.ts';
import type { Route } from '../../model/records.ts';
import type { Wire } from '../../model/sandbox-wire.ts';
import { type RouteTest, testRoutes } from '../operator/route-service.ts';
import { noMessage } from './message-list.ts';
import { fromPduLog, fromWire, type PlacedPdu, pdusOf } from './message-pdus.ts';
import { messageStory, routingTree } from './message-story-shapes.ts';
import { shownWaiting } from './messages.ts';
import type { MessageLogStore } from './store/module.ts';

export interface StoryParts {
  store: Pick<MessageStore, 'message'> & Pick<RecordsStore, 'routeVersions'> & Pick<MessageLogStore, 'receiptTimes'>;
  lanes: Pick<Lanes, 'up' | 'isPaused' | 'pausedSince' | 'report' | 'carrier' | 'newestReceipts'>;
  /** The simulated carrier's log; null without the sandbox. */
  wire: Pick<Wire, 'list'> | null;
}

/** The newest messages of a company whose receipts show a carrier's usual delay. */
const timedMessages = 500;

export function messageStoryRoutes(parts: StoryParts): PortalModule {
  const { store } = parts;
  return (routes, deps) => {
    const find = async (accountId: AccountId, messageId: MessageId): Promise<MessageView | null> =>
      isMessageId(messageId) ? store.message(accountId, messageId) : null;

    routes.add({
      method: 'GET',
      path: '/messages/:messageId/story',
      access: 'read',
      answer: answers(messageStory, 'What stands behind the timeline'),
      work: async (call) => {
        const { accountId } = call.account;
        const message = await find(accountId, param(call, 'messageId'));
        if (message === null) return noMessage;
        const waits = message.state === 'sent' || message.state === 'unconfirmed';
        const { carrier } = message;
        const [basis, times, wire] = await Promise.all([
          basisFor(message, store),
          waits && carrier !== null ? store.receiptTimes({ accountId, carrier, look: timedMessages }) : null,
          wireOf(message, parts, deps.directory()),
        ]);
        const routed = routedOf(message, parts.lanes, deps.directory(), basis);
        const context = { lanes: parts.lanes, directory: deps.directory(), now: deps.clock.now() };
        const waiting = waitingOf(message, context);
        const answer = success('The details behind the timeline.', {
          routed,
          waiting: waiting === null ? null : shownWaiting(waiting),
          link: linkOf(message, parts.lanes),
          wire,
          receiptTexts: receiptTextsOf(message, parts.lanes),
          receipts:
            carrier === null || times === null ? null : shownTimes(times, newestReceiptAt(parts.lanes, carrier)),
        });
        return call.may('readBody') ? answer : withoutTexts(answer);
      },
    });

    routes.add({
      method: 'GET',
      path: '/messages/:messageId/route',
      access: 'read',
      answer: answers(routingTree, 'How it was routed, rule by rule'),
      work: async (call) => {
        const message = await find(call.account.accountId, param(call, 'messageId'));
        if (message === null) return noMessage;
        const { from, to, messageType: kind } = message;
        const { routes: then, ...basis } = await basisFor(message, store);
        const params = [deps.directory(), parts.lanes, { from, to, kind, at: message.acceptedAt }] as const;
        const tested = testRoutes(...params, then);
        const today = basis.rules === 'past' ? testRoutes(...params).outcome : null;
        // Companies must not see rules for other companies' numbers.
        const rules = call.may('operator') ? tested.rules : tested.rules.filter(({ misses }) => misses.length === 0);
        const hidden = tested.rules.length - rules.length;
        return success(tested.outcome, { ...tested, rules, hidden, basis, today });
      },
    });
  };
}

/**
 * Which rules the explanation uses. `past`: those in force when the message was accepted; `same`: the present ones,
 * unchanged since; `now`: the present ones, because the earlier ones are no longer stored; `unknown`: the present ones,
 * because no change is recorded.
 */
interface Basis {
  rules: 'past' | 'same' | 'now' | 'unknown';
  changedAt: string | null;
  /** Undefined = the present ones. */
  routes?: Route[];
}

/** Versions of the rules that are searched for those of a message. */
const versionsLooked = 20;

async function basisFor({ acceptedAt }: MessageView, store: Pick<RecordsStore, 'routeVersions'>): Promise<Basis> {
  const [newest] = await store.routeVersions(1);
  if (newest === undefined) return { rules: 'unknown', changedAt: null };
  const changedAt = isoTime(newest.at);
  if (newest.at <= acceptedAt) return { rules: 'same', changedAt };
  const then = (await store.routeVersions(versionsLooked)).find(({ at }) => at <= acceptedAt);
  return then === undefined ? { rules: 'now', changedAt } : { rules: 'past', changedAt, routes: then.routes };
}

/** The rule that routes such a message. */
function routedOf(message: MessageView, lanes: StoryParts['lanes'], directory: Directory, { routes, ...basis }: Basis) {
  if (message.direction === 'inbound') return null;
  const { from, to, messageType: kind, events } = message;
  const first = events.find(({ state }) => state === 'sending')?.carrier ?? null;
  const taking = testRoutes(directory, lanes, { from, to, kind, at: message.acceptedAt }, routes).rules.filter(
    ({ share }) => share > 0,
  );
  const naming = taking.filter(({ route }) => first === null || route.carrierIds.includes(first));
  return {
    carrier: first === null ? null : { carrierId: first, name: directory.carrier(first)?.name ?? first },
    rules: (naming.length > 0 ? naming : taking).map((rule) => shownRule(directory, rule)),
    agrees: naming.length > 0,
    basis,
  };
}

function shownRule(directory: Directory, { route, share, carriers }: RouteTest['rules'][number]) {
  const { routeId, prefix, number, kind, campaignId, hours, weight, priority } = route;
  const campaign = campaignId === undefined ? null : (directory.campaign(campaignId)?.name ?? campaignId);
  return { routeId, prefix, number, kind, campaign, hours: hours ?? null, weight, priority, share, carriers };
}

/** The present state of the message's carrier. */
function linkOf({ carrier }: MessageView, lanes: StoryParts['lanes']) {
  if (carrier === null) return null;
  const report = lanes.report(carrier);
  const paused = lanes.isPaused(carrier);
  if (report === null) return { running: false, up: false, since: null, paused };
  return { running: true, up: lanes.up(carrier), since: isoTime(report.since), paused };
}

/** `source`: where the PDUs were searched; `canLog`: an operator can switch on a log. */
async function wireOf(
  message: MessageView,
  { lanes, wire }: StoryParts,
  directory: Directory,
): Promise<TypeOf<typeof messageStory>['wire']> {
  const { carrier, direction } = message;
  if (carrier === null || direction === 'inbound') return { source: null, canLog: false, until: null, pdus: [] };
  const log = lanes.carrier(carrier)?.log;
  const until = log?.until() ?? null;
  const known = { canLog: log !== undefined, until: until === null ? null : isoTime(until) };
  if (wire !== null && directory.carrier(carrier)?.environment === 'sandbox') {
    const entries = await wire.list({ handset: message.to, waitMs: 0, isOwn: (own) => own === message.from });
    const pdus = entries === 'full' ? [] : pdusOf(message, await fromWire(entries));
    if (pdus.length > 0 || log === undefined) return { source: 'sandbox', ...known, pdus: pdus.map(shownPdu) };
  }
  const pdus = log === undefined ? [] : pdusOf(message, fromPduLog(log.entries()));
  return { source: log === undefined ? null : 'log', ...known, pdus: pdus.map(shownPdu) };
}

function shownPdu({ at, ...pdu }: PlacedPdu) {
  return { ...pdu, at: isoTime(at) };
}

/** Texts of receipts that the gateway still has in memory; oldest first. */
function receiptTextsOf(message: MessageView, lanes: StoryParts['lanes']) {
  const { carrier, to, parts } = message;
  if (carrier === null || parts.length === 0) return [];
  const partOf = new Map(parts.map(({ part, carrierMessageId }) => [carrierIdKey(carrierMessageId), part]));
  partOf.delete('');
  return lanes
    .newestReceipts(carrier)
    .flatMap((receipt) => {
      const key = receipt.idKeys.find((one) => partOf.has(one));
      if (key === undefined || (receipt.to !== null && receipt.to !== to)) return [];
      const { receivedAt, doneAt, raw: text } = receipt;
      const carrierAt = doneAt === undefined ? null : isoTime(doneAt);
      return [{ at: isoTime(receivedAt), carrierAt, part: partOf.get(key)!, text }];
    })
    .reverse();
}

function newestReceiptAt(lanes: StoryParts['lanes'], carrier: string): number | null {
  return lanes.newestReceipts(carrier)[0]?.receivedAt ?? null;
}

/** The median: half of them took longer. */
function shownTimes({ tookMs, lastAt }: ReceiptTimes, heardAt: number | null) {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = Math.max(lastAt ?? 0, heardAt ?? 0);
  return {
    count: sorted.length,
    usualMs: sorted[Math.floor(sorted.length / 2)] ?? null,
    lastAt: at === 0 ? null : isoTime(at),
    looked: timedMessages,
  };
}
