/** The record lists, with the singular name and id field of each. */
import { noRecords, type Records } from '../../model/records.ts';

/** Records without their version, as they are written, compared and checked. */
export type RecordLists = Omit<Records, 'version'>;

export type ListName = keyof RecordLists;

/** In display order. */
export const recordKinds: readonly { list: ListName; noun: string; id: string }[] = [
  { list: 'accounts', noun: 'account', id: 'accountId' },
  { list: 'brands', noun: 'brand', id: 'brandId' },
  { list: 'campaigns', noun: 'campaign', id: 'campaignId' },
  { list: 'numbers', noun: 'number', id: 'number' },
  { list: 'apiKeys', noun: 'key', id: 'keyId' },
  { list: 'carriers', noun: 'carrier', id: 'carrierId' },
  { list: 'routes', noun: 'route', id: 'routeId' },
  { list: 'endpoints', noun: 'endpoint', id: 'endpointId' },
  { list: 'alerts', noun: 'alert', id: 'alertId' },
];

/** Any record as fields and values. */
export type Fields = Readonly<Record<string, unknown>>;

/** The records of one list by their id. */
export function byId(records: RecordLists, kind: { list: ListName; id: string }): Map<string, Fields> {
  return new Map((records[kind.list] as unknown as Fields[]).map((record) => [record[kind.id] as string, record]));
}

/** `records` with those of `newer`, which replace records with the same id. */
export function withRecords(records: RecordLists, newer: RecordLists): RecordLists {
  const merged = noRecords() as Record<ListName, unknown>;
  for (const kind of recordKinds) {
    merged[kind.list] = [...new Map([...byId(records, kind), ...byId(newer, kind)]).values()];
  }
  return merged as RecordLists;
}

/** `records` without the named ones. */
export function withoutRecords(records: RecordLists, named: readonly { noun: string; id: string }[]): RecordLists {
  const left = noRecords() as Record<ListName, unknown>;
  for (const kind of recordKinds) {
    const gone = new Set(named.filter(({ noun }) => noun === kind.noun).map(({ id }) => id));
    left[kind.list] = [...byId(records, kind)].filter(([id]) => !gone.has(id)).map(([, record]) => record);
  }
  return left as RecordLists;
}
