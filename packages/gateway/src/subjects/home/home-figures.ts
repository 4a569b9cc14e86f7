/** Figures of the start page: the last hour by minute, and what needs attention. Pure. */
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CloseTo } from '../../messaging/pace/limit-watch.ts';
import type { EndpointHealth } from '../../messaging/store/items.ts';
import type { RecentCount } from '../../messaging/store/message-log-items.ts';
import type { Directory } from '../../model/directory.ts';
import { daysLeft, type PeerCertificate } from '../../model/peer-certificate.ts';
import type { Environment } from '../../model/records.ts';
import { sandboxNumbers } from '../../model/sandbox.ts';

export const minuteMs = 60_000;
export const minutesShown = 60;

export interface Figures {
  /** Sent messages that were accepted, and what has become of them by now. */
  accepted: number;
  delivered: number;
  failed: number;
  /** Those of which it is not known yet, or never will be: without a receipt nothing has failed. */
  waiting: number;
  replies: number;
}

export interface Minute extends Figures {
  at: EpochMs;
}

const failedStates: ReadonlySet<string> = new Set(['failed', 'undelivered', 'expired']);
const endedStates: ReadonlySet<string> = new Set([...failedStates, 'delivered', 'canceled']);

/** The first of the minutes shown at `now`. */
export function firstMinute(now: EpochMs): EpochMs {
  return Math.floor(now / minuteMs) * minuteMs - (minutesShown - 1) * minuteMs;
}

/** Sixty minutes, oldest first, and their sums. */
export function minutesOf(counts: readonly RecentCount[], now: EpochMs): { minutes: Minute[]; total: Figures } {
  const first = firstMinute(now);
  const none = { accepted: 0, delivered: 0, failed: 0, waiting: 0, replies: 0 };
  const minutes = Array.from({ length: minutesShown }, (_, i): Minute => ({ at: first + i * minuteMs, ...none }));
  const total: Figures = { ...none };
  for (const { direction, at, state, count } of counts) {
    const minute = minutes[Math.min(minutesShown - 1, Math.max(0, Math.floor((at - first) / minuteMs)))]!;
    for (const figures of [minute, total]) {
      if (direction === 'inbound') figures.replies += count;
      else {
        figures.accepted += count;
        if (state === 'delivered') figures.delivered += count;
        if (failedStates.has(state)) figures.failed += count;
        if (!endedStates.has(state)) figures.waiting += count;
      }
    }
  }
  return { minutes, total };
}

/** What there is to know of a carrier's link. */
export interface CarrierLink {
  carrierId: string;
  up: boolean;
  binds: readonly { state: string }[];
  /** What its peer shows, where it speaks TLS. */
  certificate?: Pick<PeerCertificate, 'validTo'> | null;
}

export interface Attention {
  kind:
    | 'clock'
    | 'carrier down'
    | 'bind down'
    | 'endpoint failing'
    | 'endpoint disabled'
    | 'campaign'
    | 'limit'
    | 'budget'
    | 'certificate'
    | 'carrier certificate'
    | 'unmatched receipts'
    | 'held messages'
    | 'uncertain messages';
  /** What it is about, by its name. */
  name: string | null;
  /** A status, where there are several. */
  state: string | null;
  count: number | null;
  since: EpochMs | null;
  /** Page of the portal with a remedy. */
  href: string | null;
}

export interface AttentionFacts {
  directory: Directory;
  accountId: AccountId;
  environment: Environment;
  operator: boolean;
  carriers: readonly CarrierLink[];
  health: readonly EndpointHealth[];
  stuck: { held: number; uncertain: number };
  closeTo(campaignId: string): readonly CloseTo[];
  certificateEndsAt: EpochMs | null;
  now: EpochMs;
  /** Of this month; null without a budget or permission. */
  budgetPercent: number | null;
  /** What is wrong with the machine's clock, in a sentence. */
  clock?: string | null;
  /** Unmatched receipts; 0 without permission. */
  unmatched: number;
}

const about = (kind: Attention['kind'], more: Partial<Attention>): Attention => ({
  kind,
  name: null,
  state: null,
  count: null,
  since: null,
  href: null,
  ...more,
});

/** The most pressing first. */
export function attentionOf(facts: AttentionFacts): Attention[] {
  const { stuck, unmatched } = facts;
  const { clock = null } = facts;
  return [
    ...(clock !== null && facts.operator ? [about('clock', { name: clock })] : []),
    ...carriersDown(facts),
    ...endpointsInTrouble(facts),
    ...campaignsInTrouble(facts),
    ...limitsNearlyUsed(facts),
    ...budgetNearlyUsed(facts),
    ...certificateEnding(facts),
    ...carrierCertificates(facts),
    ...(stuck.held > 0 ? [about('held messages', { count: stuck.held, href: '/messages?q=status%3Aheld' })] : []),
    ...(stuck.uncertain > 0
      ? [about('uncertain messages', { count: stuck.uncertain, href: '/messages?q=status%3Auncertain' })]
      : []),
    ...(unmatched > 0 ? [about('unmatched receipts', { count: unmatched, href: '/carriers?tab=unmatched' })] : []),
  ];
}

/** Only operators learn which carriers: they are the gateway's, not the company's. */
function carriersDown({ directory, environment, carriers, operator }: AttentionFacts): Attention[] {
  const down = carriers.filter(({ carrierId, up }) => !up && directory.carrier(carrierId)?.environment === environment);
  if (!operator) return down.length > 0 ? [about('carrier down', { count: down.length })] : [];
  const named = (carrierId: string) => ({
    name: directory.carrier(carrierId)?.name ?? carrierId,
    href: `/carriers/${carrierId}`,
  });
  const partly = carriers.flatMap(({ carrierId, up, binds }) => {
    const count = binds.filter(({ state }) => !isBound(state)).length;
    const isOurs = directory.carrier(carrierId)?.environment === environment;
    return up && isOurs && count > 0 ? [about('bind down', { ...named(carrierId), count })] : [];
  });
  return [...down.map(({ carrierId }) => about('carrier down', named(carrierId))), ...partly];
}

/** The words of `CarrierStatus.binds`. An idle session was closed on purpose, and the next mail opens it again. */
function isBound(state: string): boolean {
  return state.startsWith('bound') || state === 'reachable' || state === 'reachable_idle';
}

function endpointsInTrouble({ directory, accountId, environment, health }: AttentionFacts): Attention[] {
  const own = directory.endpointsOf(accountId).filter((one) => one.environment === environment);
  return own.flatMap(({ endpointId, name, disabled }) => {
    const href = `/webhooks/${endpointId}`;
    // Disabled by hand needs no notice.
    if (disabled !== null) {
      return disabled.why === 'by hand' ? [] : [about('endpoint disabled', { name, href, since: disabled.at })];
    }
    const since = health.find((one) => one.endpointId === endpointId)?.failingSince ?? null;
    return since === null ? [] : [about('endpoint failing', { name, href, since })];
  });
}

const troubled: ReadonlySet<string> = new Set(['changes_needed', 'suspended', 'expired']);
const seededNumbers: ReadonlySet<string> = new Set(Object.values(sandboxNumbers));

/** But for the seeded one that is there to show what a suspended campaign does. */
function campaignsInTrouble({ directory, accountId, environment }: AttentionFacts): Attention[] {
  const { campaigns, numbers } = directory.records;
  const own = campaigns.filter(
    (one) => one.accountId === accountId && one.environment === environment && troubled.has(one.status),
  );
  return own.flatMap(({ campaignId, name, status }) => {
    const its = numbers.filter((number) => number.campaignId === campaignId);
    if (its.length > 0 && its.every(({ number }) => seededNumbers.has(number))) return [];
    return [about('campaign', { name, state: status, href: `/campaigns/${campaignId}` })];
  });
}

/** From four fifths on: what is over a limit waits, or fails. `count` in per cent. */
function limitsNearlyUsed({ directory, accountId, environment, closeTo }: AttentionFacts): Attention[] {
  const own = directory.records.campaigns.filter(
    (one) => one.accountId === accountId && one.environment === environment,
  );
  return own.flatMap(({ campaignId, name }) =>
    closeTo(campaignId).map(({ limit, percent }) =>
      about('limit', { name, state: limit, count: percent, href: `/campaigns/${campaignId}` }),
    ),
  );
}

const budgetPercentShown = 80;

/** `count` in per cent. */
function budgetNearlyUsed({ budgetPercent }: AttentionFacts): Attention[] {
  if (budgetPercent === null || budgetPercent < budgetPercentShown) return [];
  return [about('budget', { count: budgetPercent, href: '/usage' })];
}

/** The gateway's own, which is the operator's to renew. `count` in days. */
function certificateEnding({ operator, certificateEndsAt, now }: AttentionFacts): Attention[] {
  if (!operator || certificateEndsAt === null) return [];
  const count = daysLeft({ validTo: certificateEndsAt }, now);
  return count === null ? [] : [about('certificate', { count })];
}

/** Those that carriers show us, which are theirs to renew. `count` in days. */
function carrierCertificates({ operator, carriers, directory, environment, now }: AttentionFacts): Attention[] {
  if (!operator) return [];
  return carriers.flatMap(({ carrierId, certificate }) => {
    const carrier = directory.carrier(carrierId);
    const count = certificate == null ? null : daysLeft(certificate, now);
    if (count === null || carrier?.environment !== environment) return [];
    return [about('carrier certificate', { name: carrier.name, href: `/carriers/${carrierId}`, count })];
  });
}
