/**
 * What a carrier tells us in a deliver_sm or data_sm, in the gateway's own words: a receipt or an inbound text. Pure. It
 * never matches a receipt to a message and never joins parts.
 */
import { type PduOf, parseReceipt, type Receipt as ReceiptPdu, wordOfState } from '@heliograph/smpp';
import { carrierIdKeys } from '../domain/carrier-id.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { InboundPart, Receipt } from '../domain/delivery.ts';
import type { CarrierRecord, SmppProfile } from '../domain/records.ts';
import { sandboxReceiptErrors } from '../domain/sandbox.ts';
import { type ReceiptErrors, receiptVerdict } from './receipt-codes.ts';
import { digitsOf } from './sm-address.ts';
import { readContent } from './sm-content.ts';

/** What is kept of a receipt's text for people, in characters. */
const rawMax = 512;
/** What is kept of a word the carrier made up. */
const wordMax = 64;

/** How one carrier's words are read. */
export interface WordRules {
  carrierId: string;
  idBase: SmppProfile['idBase'];
  defaultAlphabet: SmppProfile['defaultAlphabet'];
  errors: ReceiptErrors;
}

export type CarrierWord = { kind: 'receipt'; receipt: Receipt } | { kind: 'inbound'; inbound: InboundPart };

const noErrors: ReceiptErrors = new Map();

export function wordRulesOf({ carrierId, environment, smpp }: CarrierRecord): WordRules {
  const { idBase, defaultAlphabet } = smpp;
  return { carrierId, idBase, defaultAlphabet, errors: environment === 'sandbox' ? sandboxReceiptErrors : noErrors };
}

export function readCarrierWord(
  pdu: PduOf<'deliver_sm' | 'data_sm'>,
  rules: WordRules,
  receivedAt: EpochMs,
): CarrierWord {
  const carrier = rules.carrierId;
  const receipt = parseReceipt(pdu);
  // A receipt comes from the handset it speaks of, as a text from it would.
  const from = digitsOf(pdu.source_addr);
  if (receipt === undefined) {
    const to = digitsOf(pdu.destination_addr);
    return { kind: 'inbound', inbound: { carrier, from, to, ...readContent(pdu, rules.defaultAlphabet), receivedAt } };
  }
  const carrierMessageId = receipt.id ?? '';
  return {
    kind: 'receipt',
    receipt: {
      carrier,
      carrierMessageId,
      idKeys: idKeysOf(receipt, rules),
      to: /^[0-9]+$/.test(from) ? from : null,
      ...receiptVerdict(receipt.state, receipt.err, rules.errors),
      carrierCode: carrierCodeOf(receipt),
      raw: receipt.raw.slice(0, rawMax),
      receivedAt,
    },
  };
}

/** The TLV's id first; the text may spell the same id in another way. */
function idKeysOf({ id, textId }: ReceiptPdu, { idBase }: WordRules): string[] {
  const keys = carrierIdKeys(id ?? '', idBase);
  return textId === undefined ? keys : [...new Set([...keys, ...carrierIdKeys(textId, idBase)])];
}

/** `UNDELIV err:027`; the carrier's own word where it wrote one. */
function carrierCodeOf({ state, statText, err, networkErrorCode }: ReceiptPdu): string {
  const word = (statText ?? wordOfState(state)).slice(0, wordMax);
  if (err !== undefined) return `${word} err:${err.slice(0, wordMax)}`;
  return networkErrorCode === undefined ? word : `${word} network:${networkErrorCode.type}/${networkErrorCode.code}`;
}
