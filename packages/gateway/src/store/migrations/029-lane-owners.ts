/**
 * Schema 29: which of several nodes has which send queue, what each of them reports, and what came to another node than the one
 * that waits for it. A published migration is never
 * edited; changes come as the next number.
 */
import type { Migration } from '../migration.ts';

export const laneOwners: Migration = {
  version: 29,
  statements: [
    // `node`: the token of the node that claims and settles; null = none. `meant_for`: the token of the planned node.
    `create table lane_owners (
      lane {text} not null primary key,
      node bigint,
      meant_for bigint
    ) {keyed}`,
    // `takes_lanes`: 0 while it stops. `reports`: JSON, how its send queues do.
    `create table cluster_nodes (
      node bigint not null primary key,
      name {text} not null,
      takes_lanes bigint not null,
      reports {text} not null
    ) {keyed}`,
    `create table carrier_answers (
      carrier {text} not null,
      id {text} not null,
      body {text} not null,
      primary key (carrier, id)
    ) {keyed}`,
  ],
};
