/** SQL over the event log: where messages to handsets ended. */
import type { AccountId, MessageId, RequestId } from '../../../kernel/ids.ts';
import { demoKeyId } from '../../../model/demo.ts';
import { deliveryStates, isFinal } from '../../../model/lifecycle.ts';
import { statement } from '../../../store/query.ts';

export interface EndedRow {
  message_id: MessageId;
  sequence: number;
  request_id: RequestId;
  account_id: AccountId;
  message_type: 'SMS' | 'MMS';
  extras: string | null;
  accepted_at: number;
}

/** A late receipt may still settle what is `unconfirmed`; then it ends a second time. */
const ends = deliveryStates.filter((state) => (isFinal(state) && state !== 'received') || state === 'unconfirmed');

export const selectEnded = statement<EndedRow>()(
  'select_ended',
  { after: 'int', until: 'int' },
  `select e.message_id, e.sequence, d.request_id, d.account_id, m.message_type, m.extras, m.accepted_at
   from events e join deliveries d on d.message_id = e.message_id
     join messages m on m.request_id = d.request_id and m.key_id <> '${demoKeyId}'
   where e.position > r.after and e.position <= r.until and e.state in (${ends.map((state) => `'${state}'`).join(', ')})
   order by e.position`,
);
