/**
 * Delivery receipts as a server writes them: the reference text and, for peers that accept them, the TLVs. Pure: the
 * caller supplies the times. Source: SMPP 3.4 issue 1.2 appendix B, §5.3.2.12, §5.3.2.31, §5.3.2.35.
 */
import { type MessageState, numberOfState, wordOfState } from './message-state.ts';
import type { PduFields, Tlv } from './pdu.ts';
import { tlv } from './tlvs.ts';

/** The addresses of the submitted message; the receipt swaps them. */
export type SubmitAddresses = {
  service_type?: string;
  source_addr_ton?: number;
  source_addr_npi?: number;
  source_addr?: string;
  dest_addr_ton?: number;
  dest_addr_npi?: number;
  destination_addr?: string;
};

export type ReceiptDetails = {
  /** exactly as it was given in submit_sm_resp; at most 64 characters */
  id: string;
  state: MessageState;
  submitDate: Date;
  doneDate: Date;
  /** 0-999 in the text; default 0 */
  err?: number;
  /** the message; its first twenty characters are repeated, as Latin-1 */
  text?: string;
  networkErrorCode?: { type: number; code: number };
  /** how far the dates are ahead of UTC; default 0 */
  utcOffsetMinutes?: number;
};

const MC_DELIVERY_RECEIPT = 0x04;
const TEXT_CHARACTERS = 20;

/** The fields of the deliver_sm. The session leaves the TLVs out when the peer accepts none. */
export const receiptFields = (submit: SubmitAddresses, details: ReceiptDetails): PduFields<'deliver_sm'> => ({
  service_type: submit.service_type,
  source_addr_ton: submit.dest_addr_ton,
  source_addr_npi: submit.dest_addr_npi,
  source_addr: submit.destination_addr,
  dest_addr_ton: submit.source_addr_ton,
  dest_addr_npi: submit.source_addr_npi,
  destination_addr: submit.source_addr,
  esm_class: MC_DELIVERY_RECEIPT,
  short_message: Buffer.from(receiptText(details), 'latin1'),
  tlvs: receiptTlvs(details),
});

/** The reference text. */
export const receiptText = (details: ReceiptDetails): string => {
  const { id, state, submitDate, doneDate, err = 0, text = '', utcOffsetMinutes = 0 } = details;
  const dlvrd = state === 'DELIVERED' ? '001' : '000';
  const submitted = minuteOf(submitDate, utcOffsetMinutes);
  const done = minuteOf(doneDate, utcOffsetMinutes);
  const code = String(err).padStart(3, '0');
  const start = text.slice(0, TEXT_CHARACTERS);
  return `id:${id} sub:001 dlvrd:${dlvrd} submit date:${submitted} done date:${done} stat:${wordOfState(state)} err:${code} text:${start}`;
};

/** YYMMDDhhmm. */
const minuteOf = (date: Date, utcOffsetMinutes: number): string =>
  new Date(date.getTime() + utcOffsetMinutes * 60_000).toISOString().replaceAll(/[-:T]/g, '').slice(2, 12);

const receiptTlvs = ({ id, state, networkErrorCode }: ReceiptDetails): Tlv[] => {
  const tlvs = [tlv('receipted_message_id', id), tlv('message_state', numberOfState(state))];
  if (networkErrorCode === undefined) return tlvs;
  const value = Buffer.alloc(3);
  value.writeUInt8(networkErrorCode.type, 0);
  value.writeUInt16BE(networkErrorCode.code, 1);
  return [...tlvs, { tag: 0x0423, value }];
};
