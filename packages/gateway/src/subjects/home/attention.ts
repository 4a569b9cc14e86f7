/** The start page's list of what needs attention, each with a remedy. Pure. */
import { isBindUp } from '../../carriers/carrier.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CloseTo } from '../../messaging/pace/limit-watch.ts';
import type { EndpointHealth } from '../../messaging/store/items.ts';
import type { Alert, AlertKind } from '../../model/alert.ts';
import type { Directory } from '../../model/directory.ts';
import { daysLeft, type PeerCertificate } from '../../model/peer-certificate.ts';
import type { Environment } from '../../model/records.ts';
import { sandboxNumbers } from '../../model/sandbox.ts';

/** What is known about a carrier's link. */
export interface CarrierLink {
  carrierId: string;
  up: boolean;
  binds: readonly { state: string }[];
  /** The peer's certificate, with TLS. */
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
    | 'alert'
    | 'unmatched receipts'
    | 'held messages'
    | 'uncertain messages';
  /** Its target, by name. */
  name: string | null;
  /** A status, for targets with several. */
  state: string | null;
  count: number | null;
  since: EpochMs | null;
  /** Portal page with the remedy. */
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
  /** This month's share; null without a budget or permission. */
  budgetPercent: number | null;
  /** A fault of the machine's clock, in a sentence. */
  clock?: string | null;
  /** Unmatched receipts; 0 without permission. */
  unmatched: number;
  /** Firing alerts; none without permission. */
  alerts?: readonly Pick<Alert, 'kind' | 'subject' | 'firedAt'>[];
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

/** The most urgent first. */
export function attentionOf(facts: AttentionFacts): Attention[] {
  const { stuck, unmatched } = facts;
  const { clock = null } = facts;
  return [
    ...(clock !== null && facts.operator ? [about('clock', { name: clock })] : []),
    ...carriersDown(facts),
    ...alertsFiring(facts),
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

/**
 * Operators see all carriers, in either environment; `state` names the environment if it is not the chosen one. A
 * company sees that a carrier which its messages of this environment may need is down, but not which one: carriers
 * belong to the gateway.
 */
function carriersDown({ directory, environment, carriers, operator }: AttentionFacts): Attention[] {
  const environmentOf = (carrierId: string) => directory.carrier(carrierId)?.environment ?? environment;
  const down = carriers.filter(({ up }) => !up);
  if (!operator) {
    const count = down.filter(({ carrierId }) => environmentOf(carrierId) === environment).length;
    return count > 0 ? [about('carrier down', { count })] : [];
  }
  const named = (carrierId: string) => ({
    name: directory.carrier(carrierId)?.name ?? carrierId,
    state: environmentOf(carrierId) === environment ? null : environmentOf(carrierId),
    href: `/carriers/${carrierId}`,
  });
  const partly = carriers.flatMap(({ carrierId, up, binds }) => {
    const count = binds.filter((bind) => !isBindUp(bind)).length;
    return up && count > 0 ? [about('bind down', { ...named(carrierId), count })] : [];
  });
  return [...down.map(({ carrierId }) => about('carrier down', named(carrierId))), ...partly];
}

/** Home reports these from its own facts, earlier and in more detail. */
const reportedAnyway: readonly AlertKind[] = ['link', 'certificate', 'budget'];

function alertsFiring({ alerts = [], directory }: AttentionFacts): Attention[] {
  return alerts
    .filter(({ kind }) => !reportedAnyway.includes(kind))
    .map(({ kind, subject, firedAt }) => {
      const name = directory.carrier(subject)?.name ?? null;
      return about('alert', { name, state: kind, since: firedAt, href: '/alerts' });
    });
}

/** One attempt of many may fail, and the next succeed: that needs nobody. */
const failingShownMs = 30_000;

function endpointsInTrouble({ directory, accountId, environment, health, now }: AttentionFacts): Attention[] {
  const own = directory.endpointsOf(accountId).filter((one) => one.environment === environment);
  return own.flatMap(({ endpointId, name, disabled }) => {
    const href = `/webhooks/${endpointId}`;
    // If disabled by hand, no notice is needed.
    if (disabled !== null) {
      return disabled.why === 'by hand' ? [] : [about('endpoint disabled', { name, href, since: disabled.at })];
    }
    const since = health.find((one) => one.endpointId === endpointId)?.failingSince ?? null;
    return since === null || now - since < failingShownMs ? [] : [about('endpoint failing', { name, href, since })];
  });
}

const troubled: ReadonlySet<string> = new Set(['changes_needed', 'suspended', 'expired']);
const seededNumbers: ReadonlySet<string> = new Set(Object.values(sandboxNumbers));

/** Except the seeded one that demonstrates a suspended campaign. */
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

/** From four fifths on: messages above a limit wait or fail. `count` in per cent. */
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

/** The gateway's own certificate, which the operator must renew. `count` in days. */
function certificateEnding({ operator, certificateEndsAt, now }: AttentionFacts): Attention[] {
  if (!operator || certificateEndsAt === null) return [];
  const count = daysLeft({ validTo: certificateEndsAt }, now);
  return count === null ? [] : [about('certificate', { count })];
}

/** Certificates of carriers, which the carriers must renew. `count` in days. */
function carrierCertificates({ operator, carriers, directory, now }: AttentionFacts): Attention[] {
  if (!operator) return [];
  return carriers.flatMap(({ carrierId, certificate }) => {
    const carrier = directory.carrier(carrierId);
    const count = certificate == null ? null : daysLeft(certificate, now);
    if (count === null || carrier === undefined) return [];
    return [about('carrier certificate', { name: carrier.name, href: `/carriers/${carrierId}`, count })];
  });
}
