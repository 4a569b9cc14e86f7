/**
 * Whether a number can send, for lists, and how to fix it. Uses the rules of sending; routes are checked without a
 * recipient.
 */
import { takenBy } from '../../carriers/kinds.ts';
import { judgeSender } from '../../messaging/accept/sender.ts';
import type { Directory } from '../../model/directory.ts';
import { isApprovedAlone } from '../../model/number.ts';
import type { CarrierRecord, MessageKind, Route, SendingNumber } from '../../model/records.ts';

export interface CanSend {
  ok: boolean;
  reason?: string;
  sentence?: string;
  /** A page of the portal. */
  fix?: { label: string; href: string };
}

/** `operator`: the caller may change routes. */
export function canSend(directory: Directory, number: SendingNumber, { operator }: { operator: boolean }): CanSend {
  const { number: digits, accountId, environment, campaignId } = number;
  const verdict = judgeSender(directory, digits, accountId, environment, 'SMS');
  if (verdict.kind === 'ready') {
    return carriersFrom(directory, number, 'SMS').length > 0 ? { ok: true } : noRoute(operator);
  }
  const { reason } = verdict;
  const own = `/numbers/${digits}`;
  if (reason === 'SENDER_NOT_ENABLED') {
    return { ok: false, reason, sentence: 'SMS is off', fix: { label: 'Turn SMS on', href: own } };
  }
  const campaign = campaignId === null ? undefined : directory.campaign(campaignId);
  if (campaign === undefined && isApprovedAlone(digits)) {
    return operator
      ? { ok: false, reason, sentence: 'Not verified', fix: { label: 'Record the approval', href: own } }
      : { ok: false, reason, sentence: 'Not verified: ask the operator' };
  }
  if (campaign === undefined) {
    return { ok: false, reason, sentence: 'No campaign', fix: { label: 'Assign a campaign', href: own } };
  }
  const sentence = `Campaign is ${campaign.status.replace('_', ' ')}`;
  return { ok: false, reason, sentence, fix: { label: 'Open the campaign', href: `/campaigns/${campaignId}` } };
}

function noRoute(operator: boolean): CanSend {
  const verdict = { ok: false, reason: 'NO_ROUTE' };
  return operator
    ? { ...verdict, sentence: 'No route leads from it', fix: { label: 'Add a route', href: '/routes' } }
    : { ...verdict, sentence: 'No route leads from it: ask the operator' };
}

/** Enabled carriers that its messages may use, each once, for any recipient; of one kind, or of all. */
export function carriersFrom(
  { records: { carriers, routes } }: Directory,
  number: SendingNumber,
  kind: MessageKind | null,
): CarrierRecord[] {
  const fitting = routes.filter(
    (route) => isFor(route, number) && (kind === null || [null, kind].includes(route.kind)),
  );
  const named = new Set(fitting.flatMap(({ carrierIds }) => carrierIds));
  return carriers.filter(
    (carrier) => carrier.enabled && named.has(carrier.carrierId) && (kind === null || takenBy(carrier).includes(kind)),
  );
}

function isFor(route: Route, { number, environment, campaignId }: SendingNumber): boolean {
  const isNumber = route.number === null || route.number === number;
  const isCampaign = route.campaignId === undefined || route.campaignId === campaignId;
  return route.environment === environment && isNumber && isCampaign;
}
