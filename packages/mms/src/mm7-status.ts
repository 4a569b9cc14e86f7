/**
 * StatusCode of MM7: the codes of the standard, the known ones of vendors, and the group rule for all others.
 * Source: 3GPP TS 23.140 §8.7.8.2.
 */
import { refused, type StatusMeaning } from './status.ts';

export interface Mm7StatusEntry {
  text: string;
  meaning: StatusMeaning;
}

/** By code. We write these texts when we answer with the code. */
export const mm7StatusTable: ReadonlyMap<number, Mm7StatusEntry> = new Map<number, Mm7StatusEntry>([
  [1000, { text: 'Success', meaning: { kind: 'accepted' } }],
  [1100, { text: 'Partial success', meaning: { kind: 'partial' } }],
  [2000, { text: 'Client error', meaning: refused('never', 'message') }],
  [2001, { text: 'Operation restricted', meaning: refused('never', 'service') }],
  [2002, { text: 'Address error', meaning: refused('never', 'address') }],
  [2003, { text: 'Address not found', meaning: refused('never', 'address') }],
  [2004, { text: 'Multimedia content refused', meaning: refused('never', 'content') }],
  [2005, { text: 'Message ID not found', meaning: refused('never', 'id') }],
  [2006, { text: 'LinkedID not found', meaning: refused('never', 'id') }],
  [2007, { text: 'Message format corrupt', meaning: refused('never', 'protocol') }],
  [2008, { text: 'Application ID not found', meaning: refused('never', 'id') }],
  [2009, { text: 'Reply application ID not found', meaning: refused('never', 'id') }],
  [3000, { text: 'Server error', meaning: refused('later', 'service') }],
  [3001, { text: 'Not possible', meaning: refused('never', 'service') }],
  [3002, { text: 'Message rejected', meaning: refused('never', 'message') }],
  [3003, { text: 'Multiple addresses not supported', meaning: refused('one_by_one', 'address') }],
  [4000, { text: 'General service error', meaning: refused('few', 'service') }],
  // Our settings are at fault, as with HTTP 401, not the message.
  [4001, { text: 'Improper identification', meaning: refused('later', 'credentials') }],
  [4002, { text: 'Unsupported version', meaning: refused('other_version', 'protocol') }],
  [4003, { text: 'Unsupported operation', meaning: refused('never', 'protocol') }],
  [4004, { text: 'Validation error', meaning: refused('never', 'protocol') }],
  [4005, { text: 'Service error', meaning: refused('later', 'service') }],
  [4006, { text: 'Service unavailable', meaning: refused('later', 'service') }],
  [4007, { text: 'Service denied', meaning: refused('never', 'service') }],
  [4008, { text: 'Application denied', meaning: refused('never', 'service') }],
  // Sinch: the look-up of the recipient's carrier is down.
  [2569, { text: 'Carrier look-up failed', meaning: refused('later', 'service') }],
]);

/**
 * Codes outside the table follow their group: 1xxx is success, 2xxx is the client's fault, 3xxx and 4xxx are temporary.
 */
export const mm7Status = (code: number): StatusMeaning => {
  const known = mm7StatusTable.get(code);
  if (known !== undefined) return known.meaning;
  switch (Math.floor(code / 1000)) {
    case 1:
      return { kind: 'accepted' };
    case 2:
      return refused('never', 'message');
    case 3:
      return refused('later', 'service');
    default:
      return refused('few', 'service');
  }
};

/** A status for an answer. */
export const mm7StatusOf = (code: number, text = mm7StatusTable.get(code)?.text ?? '') => ({
  code,
  text,
  failedRecipients: [],
});
