/** The event of an alert, for webhooks and the feed of the operator's company. */
import { isoTime } from '../../http/envelope.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId, Ids } from '../../kernel/ids.ts';
import type { NewEvent } from '../../messaging/store/items.ts';
import { type Alert, alertTraits } from '../../model/alert.ts';
import type { AlertState } from './store/items.ts';

/** One event for each company that has an operator. */
export function alertEvents(
  alert: Alert,
  {
    state,
    at,
    accountIds,
    ids,
  }: { state: AlertState; at: EpochMs; accountIds: readonly AccountId[]; ids: Pick<Ids, 'next'> },
): NewEvent[] {
  const { alertId, kind, subject, environment, value, limit, detail, firedAt } = alert;
  const data = {
    ...{ alertId, state, environment },
    carrierId: kind === 'budget' || subject === '' ? null : subject,
    accountId: kind === 'budget' ? subject : null,
    ...{ value, limit, unit: alertTraits[kind].unit, detail },
    firedAt: isoTime(firedAt),
    resolvedAt: state === 'resolved' ? isoTime(at) : null,
  };
  return accountIds.map((accountId) => ({ eventId: ids.next('evt_'), accountId, type: `alert.${kind}`, at, data }));
}
