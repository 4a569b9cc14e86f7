/**
 * Schema 16: messages are found by the reference their sender gave them. A published migration is never edited; changes
 * come as the next number.
 */
import type { Migration } from '../migration.ts';

export const references: Migration = {
  version: 16,
  statements: ['create index messages_reference on messages (account_id, reference_id, request_id)'],
};
