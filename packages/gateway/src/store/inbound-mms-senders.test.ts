/** The migration that adds the sender to the key that recognises a redelivered message from a handset. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { inboundMmsSenders } from './migrations/018-inbound-mms-senders.ts';

it('adds the sender to keys of earlier messages, except those without an id of their peer', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    create table messages (request_id text primary key, sender text);
    create table deliveries (message_id text primary key, request_id text);
    create table inbound_mms (carrier text, recipient text, peer_message_id text, message_id text,
      primary key (carrier, recipient, peer_message_id)) without rowid;
    insert into messages values ('req_1', '14155550100'), ('req_2', 'ann@example.com');
    insert into deliveries values ('msg_1', 'req_1'), ('msg_2', 'req_2');
    insert into inbound_mms values ('c', '1', 'peer-1', 'msg_1'), ('c', '2', 'msg_2', 'msg_2'), ('c', '3', 'gone', 'msg_3');
  `);
  for (const statement of inboundMmsSenders.statements) database.exec(statement);
  const rows = database.prepare('select peer_message_id as name from inbound_mms order by message_id').all();
  expect(rows.map(({ name }) => name)).toEqual(['peer-1 14155550100', 'msg_2', 'gone']);
  database.close();
});
