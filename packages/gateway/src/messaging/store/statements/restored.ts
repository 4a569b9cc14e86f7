/** SQL over messages that waited when a backup was made. Runs only on a copy that is not in use. */
import { statement } from '../../../store/query.ts';
import { type DeliveryRow, deliveryRow } from './deliveries.ts';

export const selectWaiting = statement<DeliveryRow>()(
  'select_waiting_at_restore',
  { after: 'text', limit: 'int' },
  `select ${deliveryRow} from deliveries d where d.state in ('queued', 'sending', 'uncertain') and d.message_id > r.after
   order by d.message_id limit r.limit`,
);

export const flagWaiting = statement()(
  'flag_waiting',
  { message_id: 'text' },
  `update deliveries set dup_risk = 1 where message_id = r.message_id`,
);
