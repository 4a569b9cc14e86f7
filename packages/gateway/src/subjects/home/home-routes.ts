/**
 * `GET /home`: setup progress and what needs attention, each from a bounded query. Returns the seeded sandbox's
 * credentials to people who manage keys.
 */
import { kindOf, takenBy } from '../../carriers/kinds.ts';
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { fresh, type PortalCall } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { judgeSender } from '../../messaging/accept/sender.ts';
import type { CloseTo } from '../../messaging/pace/limit-watch.ts';
import type { OwnSide } from '../../messaging/store/message-log-items.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { TrustedClock } from '../../messaging/time/trusted-clock.ts';
import { hashCredential } from '../../model/credential.ts';
import type { Directory } from '../../model/directory.ts';
import { emptyFilter } from '../../model/message-search.ts';
import type { MessageView } from '../../model/message-view.ts';
import { type Environment, profileOf, type SendingNumber } from '../../model/records.ts';
import { sandboxNumbers, sandboxPinnedHandsets } from '../../model/sandbox.ts';
import type { WebhookDelivery } from '../../model/webhook-event.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { AlertStore } from '../alerts/store/module.ts';
import { ofEnvironment } from '../message-log/message-list.ts';
import type { MessageLogStore } from '../message-log/store/module.ts';
import type { DemoService } from '../sandbox/demo-service.ts';
import { shownDemo } from '../sandbox/sandbox-demo-routes.ts';
import type { BudgetOf } from '../usage/budget.ts';
import type { WebhookStore } from '../webhooks/store/module.ts';
import { attentionOf, type CarrierLink } from './attention.ts';
import { homeShown, seededPair } from './home-shapes.ts';

type HomeStore = Pick<WebhookStore, 'endpointHealth' | 'webhooksOf'> &
  Pick<SystemStore, 'getSetting' | 'putSetting'> &
  Pick<MessageStore, 'message' | 'unmatchedReceipts'> &
  Pick<MessageLogStore, 'searchMessages' | 'stuckMessages'> &
  Pick<AlertStore, 'firingAlerts'>;

/** Both credentials of the seeded sandbox, in plain text. */
export interface SeededPair {
  bearerToken: string;
  authToken: string;
}

export interface HomeParts {
  store: HomeStore;
  carriers(): readonly CarrierLink[];
  /** Limits of a campaign that are nearly reached. */
  closeTo(campaignId: string): readonly CloseTo[];
  budgetOf: BudgetOf;
  /** The gateway's certificate; null without https. */
  certificateEndsAt(): EpochMs | null;
  /** Reports a jump of the clock; absent = unknown. */
  clock?: Pick<TrustedClock, 'warning'>;
  /** Null when the sandbox is off. */
  demo: Pick<DemoService, 'data'> | null;
  /** Null when there is none, or the sandbox is off. */
  seededPair(): SeededPair | null;
}

const stuckLook = 2_000;
const unmatchedMax = 100;
/** Each page covers some ten thousand messages. */
const pagesMax = 4;

interface Step {
  step: 'carrier' | 'number' | 'campaign' | 'accepted' | 'answered' | 'webhook';
  done: boolean;
  /** Facts behind the step. */
  facts: Record<string, unknown>;
}

export function homeRoutes(parts: HomeParts): PortalModule {
  const { store } = parts;
  return (routes, { directory, clock }) => {
    routes.add({
      method: 'GET',
      path: '/home',
      access: 'read',
      answer: answers(homeShown, 'How things are'),
      work: async (call) => {
        const { environment } = call;
        const { accountId } = call.account;
        const now = clock.now();
        const operator = call.may('operator');
        const own = directory().records.numbers.filter((one) => one.accountId === accountId);
        const side = ofEnvironment(own, environment);
        const [checklist, health, stuck, unmatched, demo, budget, alerts] = await Promise.all([
          checklistOf(call, parts, directory(), side),
          store.endpointHealth(),
          store.stuckMessages({ accountId, look: stuckLook, ...side }),
          operator ? store.unmatchedReceipts(unmatchedMax) : [],
          environment === 'sandbox' && parts.demo !== null ? parts.demo.data(accountId) : null,
          call.may('readUsage') ? parts.budgetOf({ accountId, environment }) : null,
          operator ? store.firingAlerts() : [],
        ]);
        const carriers = parts.carriers();
        const facts = { directory: directory(), accountId, environment, operator, health, stuck };
        const attention = attentionOf({
          ...facts,
          now,
          carriers,
          closeTo: parts.closeTo,
          certificateEndsAt: parts.certificateEndsAt(),
          unmatched: unmatched.length,
          alerts,
          clock: parts.clock?.warning() ?? null,
          budgetPercent: budget?.percent ?? null,
        });
        return success('How things are.', {
          checklist,
          first: firstText(directory(), accountId, environment),
          pair: call.may('manageKeys') && ownPair(parts, directory(), accountId) !== null,
          carriers: operator ? { up: carriers.filter(({ up }) => up).length, all: carriers.length } : null,
          attention: attention.map((one) => ({ ...one, since: one.since === null ? null : isoTime(one.since) })),
          demo: shownDemo(demo),
        });
      },
    });

    routes.add({
      method: 'GET',
      path: '/home/pair',
      access: fresh('manageKeys'),
      answer: answers(seededPair, 'The seeded pair. It reaches the simulated carrier only'),
      work: async (call) => {
        const pair = ownPair(parts, directory(), call.account.accountId);
        if (pair === null) return rejection('NOT_FOUND', 'No pair of credentials can be shown again.');
        await call.audit({ what: 'key.revealed', target: 'the seeded sandbox pair' });
        const { bearerToken, authToken } = pair;
        return success('The pair of the sandbox. It can only send to the simulated carrier.', {
          bearerToken,
          authToken,
        });
      },
    });
  };
}

/** The seeded pair, if it is valid and belongs to this account. */
function ownPair({ seededPair }: HomeParts, directory: Directory, accountId: AccountId): SeededPair | null {
  const pair = seededPair();
  if (pair === null) return null;
  const key = directory.keyByBearerHash(hashCredential(pair.bearerToken));
  return key?.accountId === accountId && key.environment === 'sandbox' && key.revokedAt === null ? pair : null;
}

/** The text that the page suggests to send; null when no number can send. */
function firstText(directory: Directory, accountId: AccountId, environment: Environment) {
  const ready = readyNumber(directory, accountId, environment);
  return ready === null ? null : { from: ready, to: environment === 'sandbox' ? sandboxPinnedHandsets[0]! : null };
}

function readyNumber(directory: Directory, accountId: AccountId, environment: Environment): string | null {
  const isReady = (number: string) => judgeSender(directory, number, accountId, environment, 'SMS').kind === 'ready';
  // Among the seeded ones, prefers the number used in the documentation.
  if (isReady(sandboxNumbers.ready)) return sandboxNumbers.ready;
  return directory.records.numbers.find(({ number }) => isReady(number))?.number ?? null;
}

/** The newest message of one direction; reads a limited number of pages with other messages. */
async function newest(
  store: HomeStore,
  { accountId, ...side }: OwnSide & { accountId: AccountId },
  direction: 'outbound' | 'inbound',
): Promise<MessageView | null> {
  const filter = { ...emptyFilter(), direction };
  let before: string | null = null;
  for (let page = 0; page < pagesMax; page++) {
    const search = { accountId, filter, ownNumbers: [], after: null, limit: 1, ...side, before };
    const { messages, next } = await store.searchMessages(search);
    if (messages[0] !== undefined) return store.message(accountId, messages[0].messageId);
    if (next === null) return null;
    before = next;
  }
  return null;
}

async function checklistOf(call: PortalCall, parts: HomeParts, directory: Directory, side: OwnSide): Promise<Step[]> {
  const { store } = parts;
  const { environment } = call;
  const { accountId } = call.account;
  const setUp = setUpSteps(call, parts, directory);
  const [accepted, reply] = await Promise.all(
    (['outbound', 'inbound'] as const).map((direction) => newest(store, { accountId, ...side }, direction)),
  );
  const notified = reply == null ? undefined : await notificationOf(store, call, directory, reply);
  // Deliveries are deleted after a while; the mark keeps that the step was reached.
  const mark = `first webhook ${environment} ${accountId}`;
  const wasNotified = notified !== undefined || (reply != null && (await store.getSetting(mark)) !== null);
  if (notified !== undefined && (await store.getSetting(mark)) === null)
    await store.putSetting(mark, notified.deliveryId);
  return [
    ...setUp,
    { step: 'accepted', done: accepted != null, facts: accepted == null ? {} : acceptedFacts(accepted) },
    {
      step: 'answered',
      done: reply != null,
      facts: reply == null ? {} : { messageId: reply.messageId, from: reply.from, at: isoTime(reply.acceptedAt) },
    },
    {
      step: 'webhook',
      done: wasNotified,
      facts:
        notified === undefined
          ? {}
          : { endpointId: notified.endpointId, deliveryId: notified.deliveryId, at: isoTime(notified.updatedAt) },
    },
  ];
}

async function notificationOf(
  store: HomeStore,
  { account: { accountId } }: PortalCall,
  directory: Directory,
  { messageId }: MessageView,
): Promise<WebhookDelivery | undefined> {
  const endpointIds = directory.endpointsOf(accountId).map(({ endpointId }) => endpointId);
  const deliveries = await store.webhooksOf({ accountId, messageId, endpointIds });
  return deliveries.find(({ state }) => state === 'delivered');
}

function acceptedFacts({ messageId, state, acceptedAt, events }: MessageView): Record<string, unknown> {
  const delivered = events.find((event) => event.state === 'delivered');
  const tookMs = delivered === undefined ? null : delivered.at - acceptedAt;
  return { messageId, state, tookMs, at: isoTime(acceptedAt) };
}

function setUpSteps(call: PortalCall, parts: HomeParts, directory: Directory): Step[] {
  const { environment } = call;
  const { accountId } = call.account;
  const first = boundCarrier(parts, directory, environment);
  const carrier = first === undefined ? undefined : directory.carrier(first.carrierId);
  const numbers = directory.records.numbers.filter(
    (one) => one.accountId === accountId && one.environment === environment && one.smsEnabled,
  );
  const ready = readyNumber(directory, accountId, environment);
  // If none can send, shows one with a campaign, whose status gives the reason.
  const shown = numbers.find(({ number }) => number === ready) ?? numbers.find(isOnCampaign) ?? numbers[0];
  const campaign = shown?.campaignId == null ? undefined : directory.campaign(shown.campaignId);
  return [
    {
      step: 'carrier',
      done: first !== undefined,
      facts:
        first === undefined || !call.may('operator')
          ? {}
          : {
              name: carrier?.name ?? first.carrierId,
              binds: first.binds.length,
              address: carrier === undefined ? null : kindOf(carrier).address(profileOf(carrier)),
            },
    },
    { step: 'number', done: numbers.length > 0, facts: { number: shown?.number ?? null } },
    {
      step: 'campaign',
      done: ready !== null,
      facts: {
        name: campaign?.name ?? null,
        status: campaign?.status ?? null,
        ...(campaign !== undefined && { campaignId: campaign.campaignId }),
      },
    },
  ];
}

function isOnCampaign({ campaignId }: SendingNumber): boolean {
  return campaignId !== null;
}

/** The SMS carrier decides; an MMS carrier counts only when no other is set up. */
function boundCarrier(parts: HomeParts, directory: Directory, environment: Environment): CarrierLink | undefined {
  const enabled = directory.records.carriers.filter((one) => one.environment === environment && one.enabled);
  const forSms = enabled.filter((one) => takenBy(one).includes('SMS'));
  const counted = new Set((forSms.length > 0 ? forSms : enabled).map(({ carrierId }) => carrierId));
  return parts.carriers().find(({ carrierId, up }) => up && counted.has(carrierId));
}
