/** SQL over recent carrier refusals in the event log, across accounts. */
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { statement } from '../../../store/query.ts';

export interface CarrierErrorRow {
  carrier: string;
  state: DeliveryState;
  code: string | null;
  carrier_code: string | null;
  found: number;
  last: number;
}

export const selectCarrierErrors = statement<CarrierErrorRow>()(
  'select_carrier_errors',
  { look: 'int', limit: 'int' },
  `select n.carrier, n.state, n.code, n.carrier_code, count(*) as found, max(n.at) as last from (
     select e.carrier, e.state, e.code, e.carrier_code, e.at from events e order by e.position desc limit r.look) n
   where n.carrier is not null and (n.state in ('failed', 'undelivered', 'uncertain', 'unconfirmed')
     or (n.state = 'queued' and n.carrier_code is not null))
   group by n.carrier, n.state, n.code, n.carrier_code order by count(*) desc, max(n.at) desc limit r.limit`,
);

export const selectOldestLooked = statement<{ at: number | null; found: number }>()(
  'select_oldest_looked',
  { look: 'int' },
  `select min(n.at) as at, count(*) as found from (
     select e.at from events e order by e.position desc limit r.look) n`,
);
