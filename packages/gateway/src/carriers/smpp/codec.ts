/** Converts deliver_sm and data_sm into receipts or texts. Pure, except for what it learns about the carrier's ids. */

import { hash } from 'node:crypto';
import {
  digitsOf,
  type MessageState,
  type PduOf,
  parseReceipt,
  type ReceiptOptions,
  type Receipt as ReceiptPdu,
  readContent,
  stateOfWord,
  wordOfState,
} from '@heliograph/smpp';
import type { EpochMs } from '../../kernel/clock.ts';
import { createZoneOffset } from '../../kernel/zone-offset.ts';
import { boundedId } from '../../model/carrier-id.ts';
import type { InboundPart, Receipt } from '../../model/delivery.ts';
import { standInId } from '../../model/nameless-receipt.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { sandboxReceiptErrors } from '../../model/sandbox.ts';
import { completeSmpp, type SmppCarrierRecord, type SmppDetails, type SmppProfile } from './profile.ts';
import { createReceiptIds, type NamedIds, type ReceiptIds } from './receipt-ids.ts';

/** Characters kept of a receipt's text, for people to read. */
const rawMax = 512;
/** Characters kept of a non-standard word of the carrier. */
const wordMax = 64;

/** How one carrier's receipts and texts are read. */
export interface CodecRules {
  carrierId: string;
  /** It learns from each look-up. */
  ids: ReceiptIds;
  defaultAlphabet: SmppProfile['defaultAlphabet'];
  errors: ReceiptErrors;
  trustText: SmppDetails['trustText'];
  /** Long texts go out as one PDU. */
  sendsWhole: boolean;
  receipts: ReceiptOptions;
}

export type CarrierWord =
  /**
   * `again`: reads the ids once more; present while it is undecided which message they name. It returns null while that
   * stays undecided.
   */
  { kind: 'receipt'; receipt: Receipt; again?: () => Receipt | null } | { kind: 'inbound'; inbound: InboundPart };

const noErrors: ReceiptErrors = new Map();

export function codecRulesOf({ carrierId, environment, smpp }: SmppCarrierRecord): CodecRules {
  const { idBase, defaultAlphabet, trustText, acceptedIsFinal, receiptTimeZone } = completeSmpp(smpp);
  const errors = environment === 'sandbox' ? sandboxReceiptErrors : noErrors;
  const receipts: ReceiptOptions = {
    trustText: trustText !== 'never',
    acceptedIsFinal,
    utcOffsetMinutes: receiptTimeZone === 'UTC' ? 0 : createZoneOffset(receiptTimeZone),
  };
  const sendsWhole = smpp.longMessage === 'payload';
  return { carrierId, ids: createReceiptIds(idBase), defaultAlphabet, errors, trustText, sendsWhole, receipts };
}

/** Whether a text in the form of a receipt certainly is one. Otherwise only the store can decide, by older messages. */
function isCertain({ byTextOnly }: ReceiptPdu, addresses: string[], ids: NamedIds, rules: CodecRules): boolean {
  if (rules.trustText !== 'known' || !byTextOnly) return true;
  return addresses.some((address) => rules.ids.isAnswered(ids, address));
}

/** A receipt that comes again later gets another one: people see both. */
function noIdOf(receipt: ReceiptPdu, from: string, to: string, receivedAt: EpochMs): string {
  const about = [from, to, receipt.raw, receipt.state, receipt.networkErrorCode, receivedAt];
  return standInId(hash('sha256', JSON.stringify(about)));
}

export function readCarrierWord(
  pdu: PduOf<'deliver_sm' | 'data_sm'>,
  rules: CodecRules,
  receivedAt: EpochMs,
): CarrierWord {
  const carrier = rules.carrierId;
  const receipt = parseReceipt(pdu, rules.receipts);
  const from = digitsOf(pdu.source_addr);
  const to = digitsOf(pdu.destination_addr);
  const text = (): InboundPart => ({ carrier, from, to, ...readContent(pdu, rules.defaultAlphabet), receivedAt });
  if (receipt === undefined) return { kind: 'inbound', inbound: text() };
  const carrierMessageId = boundedId(receipt.id ?? '');
  const ids: NamedIds = [carrierMessageId, receipt.textId === undefined ? undefined : boundedId(receipt.textId)];
  const address = rules.ids.handsetOf(ids, from, to);
  const handset = /^[0-9]+$/.test(address) ? address : null;
  const certain = isCertain(receipt, [from, to], ids, rules);
  // A person's text teaches nothing about ids.
  if (certain) rules.ids.received(ids, handset);
  const idKeys = rules.ids.keysOf(ids, handset);
  const read = {
    carrier,
    carrierMessageId,
    ...receiptVerdict(receipt, rules.errors),
    carrierCode: carrierCodeOf(receipt),
    raw: receipt.raw.slice(0, rawMax),
    receivedAt,
    ...(rules.sendsWhole && { ofWhole: true as const }),
    ...(receipt.doneDate && { doneAt: receipt.doneDate.getTime() }),
  };
  const named = (keys: string[]): Receipt => ({ ...read, idKeys: keys, to: handset });
  if (!certain) {
    const perhaps = handset === null || idKeys === null ? undefined : named(idKeys);
    return { kind: 'inbound', inbound: { ...text(), ...(perhaps && { perhaps }) } };
  }
  if (receipt.id === undefined) {
    const nameless = { ...named([]), carrierMessageId: noIdOf(receipt, from, to, receivedAt) };
    return { kind: 'receipt', receipt: nameless };
  }
  if (idKeys !== null) return { kind: 'receipt', receipt: named(idKeys) };
  const again = (): Receipt | null => {
    const keys = rules.ids.keysOf(ids, handset);
    return keys === null ? null : named(keys);
  };
  // Until it is decided, it must not be taken for the missing receipt of another message to the same handset.
  return { kind: 'receipt', receipt: { ...named([]), to: null }, again };
}

/**
 * `UNDELIV err:027`. Uses the carrier's own word if there is one, unless its TLV contradicts it: the TLV is trusted.
 */
function carrierCodeOf({ state, statText, err, networkErrorCode }: ReceiptPdu): string {
  const contradicted = statText !== undefined && (stateOfWord(statText) ?? state) !== state;
  const word = (contradicted ? wordOfState(state) : (statText ?? wordOfState(state))).slice(0, wordMax);
  if (err !== undefined) return `${word} err:${err.slice(0, wordMax)}`;
  return networkErrorCode === undefined ? word : `${word} network:${networkErrorCode.type}/${networkErrorCode.code}`;
}

type ReceiptVerdict = Pick<Receipt, 'state' | 'code'>;

/** A carrier's `err`, as the carrier writes it → outcome code. */
export type ReceiptErrors = ReadonlyMap<string, OutcomeCode>;

const interim: ReceiptVerdict = { state: 'interim', code: null };
const undelivered = (code: OutcomeCode): ReceiptVerdict => ({ state: 'undelivered', code });

/** SMPP 3.4 §5.2.28 and appendix B, 5.0 §4.7.15. */
const verdicts: Readonly<Record<MessageState, ReceiptVerdict>> = {
  SCHEDULED: interim,
  ENROUTE: interim,
  DELIVERED: { state: 'delivered', code: 'DELIVERED' },
  EXPIRED: undelivered('EXPIRED'),
  DELETED: undelivered('CANCELED'),
  UNDELIVERABLE: undelivered('UNREACHABLE'),
  // Only where it is this carrier's final state; otherwise it is interim.
  ACCEPTED: { state: 'delivered', code: 'DELIVERED' },
  UNKNOWN: interim,
  REJECTED: undelivered('CARRIER_REJECTED'),
  SKIPPED: undelivered('UNKNOWN'),
};

/**
 * `err` is the carrier's number as written; it refines a failure, never a success. An interim state settles nothing.
 */
export function receiptVerdict(
  { state, final, err }: Pick<ReceiptPdu, 'state' | 'final' | 'err'>,
  errors: ReceiptErrors,
): ReceiptVerdict {
  if (!final) return interim;
  const verdict = verdicts[state];
  const finer = verdict.state === 'undelivered' && err !== undefined ? errors.get(err) : undefined;
  return finer === undefined ? verdict : undelivered(finer);
}
