/** SQL that delays messages just accepted. */
import { statement } from '../../../store/query.ts';

export const updateHeld = statement()(
  'update_held',
  { message_id: 'text', sequence: 'int', due_at: 'int', code: 'text' },
  `update deliveries set due_at = r.due_at, code = r.code, sequence = r.sequence from {rows} r
   where deliveries.message_id = r.message_id`,
  true,
);
