/**
 * SQL over what several nodes share: the owner of each send queue and duty, and the reports of each node. A node is
 * alive while its lease is valid.
 */
import { statement } from '../../../store/query.ts';

const lives = (node: string) => `exists (select 1 from leases where leases.name = 'node/' || ${node})`;

export interface OwnerRow {
  /** The id of a carrier for its send queue, or the name of a duty. */
  name: string;
  /** The owner's token; null = none. */
  node: number | null;
  meant_for: number | null;
  /** 1 while the owner is alive. */
  lives: number;
}

const ownerColumns = `o.name, o.node, o.meant_for, case when ${lives('o.node')} then 1 else 0 end as lives`;

export const selectOwners = statement<OwnerRow>()(
  'select_owners',
  {},
  `select ${ownerColumns} from owners o order by o.name`,
);

export const selectOwner = statement<OwnerRow>()(
  'select_owner',
  { name: 'text' },
  `select ${ownerColumns} from owners o where o.name = r.name`,
);

export const putMeantFor = statement()(
  'put_meant_for',
  { name: 'text', meant_for: 'int' },
  `insert into owners (name, node, meant_for) select r.name, null, r.meant_for from {rows} r where true
   on conflict (name) do update set meant_for = excluded.meant_for`,
);

/** Deletes the row of a disabled or removed carrier, after its owner gave it up. */
export const deleteOwner = statement()(
  'delete_owner',
  { name: 'text' },
  `delete from owners where name = r.name and (node is null or not ${lives('owners.node')})`,
);

export const setOwner = statement()(
  'set_owner',
  { name: 'text', node: 'int' },
  'update owners set node = r.node where name = r.name',
);

export const clearOwner = statement<{ name: string }>()(
  'clear_owner',
  { name: 'text', node: 'int' },
  'update owners set node = null where name = r.name and node = r.node returning name',
);

/** Whether the carrier of the send queue has any message now. */
export const selectAnySending = statement<{ message_id: string }>()(
  'select_any_sending',
  { lane: 'text' },
  `select message_id from deliveries where state = 'sending' and lane = r.lane limit 1`,
);

export interface NodeRow {
  node: number;
  name: string;
  takes_lanes: number;
  reports: string;
  /** 1 for the node with the acting node's lease. */
  acts: number;
}

/** The live nodes. */
export const selectNodes = statement<NodeRow>()(
  'select_cluster_nodes',
  {},
  `select n.node, n.name, n.takes_lanes, n.reports, case when exists (
     select 1 from leases where leases.name = 'node' and leases.epoch = n.node) then 1 else 0 end as acts
   from cluster_nodes n where ${lives('n.node')} order by n.node`,
);

export const putNode = statement()(
  'put_cluster_node',
  { node: 'int', name: 'text', takes_lanes: 'int', reports: 'text' },
  `insert into cluster_nodes (node, name, takes_lanes, reports) values (r.node, r.name, r.takes_lanes, r.reports)
   on conflict (node) do update set name = excluded.name, takes_lanes = excluded.takes_lanes,
     reports = excluded.reports`,
);

export const deleteGoneNodes = statement()(
  'delete_gone_cluster_nodes',
  {},
  `delete from cluster_nodes where not ${lives('cluster_nodes.node')}`,
);

export interface AnswerRow {
  carrier: string;
  id: string;
  body: string;
}

export const putAnswer = statement()(
  'put_carrier_answer',
  { carrier: 'text', id: 'text', body: 'text' },
  `insert into carrier_answers (carrier, id, body) values (r.carrier, r.id, r.body)
   on conflict (carrier, id) do update set body = excluded.body`,
);

export const selectAnswers = statement<AnswerRow>()(
  'select_carrier_answers',
  { carrier: 'text' },
  'select a.carrier, a.id, a.body from {rows} r, carrier_answers a where a.carrier = r.carrier',
);

export const deleteAnswer = statement()(
  'delete_carrier_answer',
  { carrier: 'text', id: 'text' },
  'delete from carrier_answers where carrier = r.carrier and id = r.id',
);

export const deleteAnswersOf = statement()(
  'delete_carrier_answers_of',
  { carrier: 'text' },
  'delete from carrier_answers where carrier = r.carrier',
);
