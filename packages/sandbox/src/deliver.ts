/** The deliver_sm PDUs of the sandbox: receipts and texts from handsets. Pure. */
import {
  type MessageState,
  type PduFields,
  receiptFields,
  type SmContent,
  type SmPart,
  type SubmitAddresses,
} from '@heliograph/smpp';
import type { SandboxReceipt } from './behaviour.ts';

export type DeliverSm = PduFields<'deliver_sm'>;

/** TON international, NPI E.164 (SMPP 3.4 §5.2.5–6). */
const telephone = { ton: 1, npi: 1 };
/** SMPP 3.4 §5.3.2.31: the network that reports the error. */
const gsmNetwork = 3;

const states: Readonly<Record<SandboxReceipt['stat'], MessageState>> = {
  DELIVRD: 'DELIVERED',
  UNDELIV: 'UNDELIVERABLE',
  EXPIRED: 'EXPIRED',
};

/** SMPP 3.4 §5.2.17, bits 1–0: 1 any outcome, 2 failures only; 5.0 adds 3, successes only. */
export function wantsReceipt(registered_delivery: number, stat: SandboxReceipt['stat']): boolean {
  const requested = registered_delivery & 0x03;
  return requested === 1 || requested === (stat === 'DELIVRD' ? 3 : 2);
}

export interface SubmittedPart {
  addresses: SubmitAddresses;
  message_id: string;
  submittedAt: number;
  content: SmContent;
}

export function receiptFor(part: SubmittedPart, { stat, err }: SandboxReceipt, doneAt: number): DeliverSm {
  const code = Number(err);
  return receiptFields(part.addresses, {
    id: part.message_id,
    state: states[stat],
    submitDate: new Date(part.submittedAt),
    doneDate: new Date(doneAt),
    err: code,
    // A receipt repeats the text as Latin-1: an empty text is better than garbage.
    text: part.content.encoding === 'GSM-7' ? (part.content.text ?? '') : '',
    ...(code !== 0 && { networkErrorCode: { type: gsmNetwork, code } }),
  });
}

export function handsetText(handset: string, to: string, part: SmPart): DeliverSm {
  return {
    source_addr_ton: telephone.ton,
    source_addr_npi: telephone.npi,
    source_addr: handset,
    dest_addr_ton: telephone.ton,
    dest_addr_npi: telephone.npi,
    destination_addr: to,
    esm_class: part.esm_class,
    data_coding: part.data_coding,
    short_message: part.short_message,
  };
}
