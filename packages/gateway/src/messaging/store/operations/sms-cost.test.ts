/** The database statements of an SMS: MMS must add none. */
import { expect, it } from 'vitest';
import { createPositions } from '../../../store/context.ts';
import { acceptItem, start } from '../../../store/contract/fixture.ts';
import { mmsItem } from '../../../store/contract/media-fixture.ts';
import { type Operation, runSync } from '../../../store/query.ts';
import { accept } from './accept.ts';
import { claim } from './claim.ts';

/** In the middle of a run of conversations. */
const positions = createPositions(10);
positions.run(1, start);
positions.begun();
const context = { token: 3, now: start, positions, sending: new Map() };

/** The statements of an operation, if each claim finds a message of this kind. */
function statements(operation: Operation<unknown>, kind: 'SMS' | 'MMS' = 'SMS'): string[] {
  const names: string[] = [];
  const found: Record<string, unknown[]> = {
    claim_due: [{ message_id: 'msg_1', request_id: 'req_1', state: 'sending', sequence: 3 }],
    select_due_messages: [{ request_id: 'req_1', message_type: kind, media_urls: '[]' }],
  };
  runSync(operation, ({ statement: { name } }) => {
    names.push(name);
    return found[name] ?? [];
  });
  return names;
}

const tables = ['insert_messages', 'insert_deliveries', 'insert_account_messages', 'insert_conversations_tail'];
const request = { lane: 'c1', limit: 5, now: start, token: 3 };

it('an accept queries media only when it holds an MMS', () => {
  const sms = acceptItem(start, {});
  expect(statements(accept([sms], context))).toEqual(tables);
  expect(statements(accept([sms, mmsItem(start)], context))).toEqual([
    ...tables,
    'insert_media_jobs',
    'insert_mms_deliveries',
  ]);
});

it('a claim queries media only when it holds an MMS', () => {
  expect(statements(claim([request], context))).toEqual(['claim_due', 'select_due_messages']);
  expect(statements(claim([request], context), 'MMS')).toEqual([
    'claim_due',
    'select_due_messages',
    'select_message_media',
  ]);
});
