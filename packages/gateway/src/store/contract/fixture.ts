/**
 * Data for the contract's tests: a clock that only they move, and items with defaults for fields that a test does not
 * care about. Imports no test runner, so that child processes of tests can use it too.
 */
import type { Store } from '../../app/store.ts';
import type { Clock } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { InboundItem, NewEvent, SmsItem } from '../../messaging/store/items.ts';
import { carrierIdKeys } from '../../model/carrier-id.ts';
import type { Claim, Receipt, Settlement } from '../../model/delivery.ts';
import type { CommitWatch } from '../create-store.ts';

/** The location of a store; opening it twice is a restart or a second process. */
export interface StorePlace {
  /** Arguments that make `crash-child.ts` open it. */
  readonly childArgs: string[];
  /** `watch` sees every commit. */
  open(role: 'node' | 'tool', clock: Clock, watch?: CommitWatch): Promise<Store>;
  /** Removes the store after every open one was closed. */
  remove(): Promise<void>;
}

export type StoreFactory = () => Promise<StorePlace>;

export const minute = 60_000;
export const hour = 60 * minute;
export const start = 1_800_000_000_000;

export interface ItemFields {
  accountId?: string;
  to?: string;
  from?: string;
  lane?: string;
  segments?: number;
  expiresAt?: number;
  text?: string;
  key?: { key: string; bodyHash: string; answer?: string; expiresAt?: number };
  recipients?: string[];
  traceparent?: string;
}

export type InboundFields = Partial<InboundItem['part']> & { accountId?: string };

let serial = 0;
export function nextId(prefix: string): string {
  serial += 1;
  return firstIdAt(`${prefix}_`, start) + String(serial).padStart(16, '0');
}

export function acceptItem(now: number, fields: ItemFields): SmsItem {
  const { accountId = 'acc1', lane = 'c1', segments = 1 } = fields;
  return {
    message: {
      requestId: nextId('req'),
      accountId,
      keyId: 'key1',
      direction: 'outbound',
      referenceId: 'reference-1',
      from: fields.from ?? '15550001111',
      text: fields.text ?? 'Hello',
      wireText: null,
      mediaUrls: [],
      messageType: 'SMS',
      encoding: 'GSM-7',
      segments,
      acceptedAt: now,
      ...(fields.traceparent !== undefined && { traceparent: fields.traceparent }),
    },
    deliveries: (fields.recipients ?? [fields.to ?? '14155550100']).map((to) => ({
      messageId: nextId('msg'),
      to,
      lane,
      expiresAt: fields.expiresAt ?? now + 4 * hour,
      concatReference: 7,
    })),
    idempotency: fields.key ? { answer: '{"success":true}', expiresAt: now + 72 * hour, ...fields.key } : null,
  };
}

export function settlement(claim: Claim, now: number, fields: Partial<Settlement> = {}): Settlement {
  return {
    messageId: claim.messageId,
    attempt: claim.attempt,
    to: 'sent',
    code: null,
    carrierCode: null,
    detail: null,
    carrier: claim.lane,
    parts: [{ part: 1, carrierMessageId: `id-${claim.messageId}` }],
    dueAt: now + 72 * hour,
    lane: claim.lane,
    countsAttempt: true,
    ...fields,
  };
}

export function receipt(now: number, fields: Partial<Receipt>): Receipt {
  const carrierMessageId = fields.carrierMessageId ?? 'a1';
  return {
    carrier: 'c1',
    carrierMessageId,
    idKeys: carrierIdKeys(carrierMessageId, 'auto'),
    to: '14155550100',
    state: 'delivered',
    code: 'DELIVERED',
    carrierCode: '000',
    raw: `id:${carrierMessageId} stat:DELIVRD err:000`,
    receivedAt: now,
    ...fields,
  };
}

export function inboundItem(now: number, { accountId = 'acc1', ...part }: InboundFields = {}): InboundItem {
  return {
    accountId,
    messageId: nextId('msg'),
    requestId: nextId('req'),
    consent: null,
    part: {
      carrier: 'c1',
      from: '14155550100',
      to: '15550001111',
      text: 'Yes',
      octets: null,
      encoding: 'GSM-7',
      concat: null,
      receivedAt: now,
      ...part,
    },
  };
}

export function newEvent(fields: Partial<NewEvent> = {}): NewEvent {
  return { eventId: nextId('evt'), accountId: 'acc1', type: 'carrier.down', at: start, data: { n: 1 }, ...fields };
}
