/** A submission as submit_sm fields, in the spelling one carrier wants. Pure. */
import type { PduFields } from '@heliograph/smpp';
import { type CarrierRecord, carrierAbilities, type SmppProfile } from '../domain/records.ts';
import type { Submission } from './carrier.ts';
import { type SmPart, textToParts } from './sm-parts.ts';
import { ownRefusal, type Refused } from './submit-try.ts';

/** SMPP 3.4 §5.2.17: a receipt for the final outcome, whether good or bad. */
const finalReceipt = 1;

/** The parts that an earlier try did not hand over already, or why there are none to send. */
export function partsOf(submission: Submission, kind: CarrierRecord['kind'], profile: SmppProfile): SmPart[] | Refused {
  if (!carrierAbilities[kind].includes(submission.kind)) {
    return ownRefusal('MMS_NOT_SUPPORTED', `This carrier takes no ${submission.kind}.`);
  }
  const made = textToParts(submission.text, submission.concatReference, profile);
  if (made === null) return ownRefusal('MALFORMED', 'The text needs more parts than a message can have.');
  const { partsAccepted } = submission;
  return partsAccepted.length === 0 ? made.parts : made.parts.filter(({ part }) => !partsAccepted.includes(part));
}

/** validity_period stays empty: a message waits with us, not with the carrier. */
export function submitSm({ from, to }: Submission, part: SmPart, profile: SmppProfile): PduFields<'submit_sm'> {
  const digits = /^[0-9]+$/.test(from);
  return {
    // Anything but digits is an alphanumeric address: TON 5, NPI 0 (SMPP 3.4 §5.2.5–6).
    source_addr_ton: digits ? profile.source_addr_ton : 5,
    source_addr_npi: digits ? profile.source_addr_npi : 0,
    source_addr: from,
    dest_addr_ton: profile.dest_addr_ton,
    dest_addr_npi: profile.dest_addr_npi,
    destination_addr: to,
    esm_class: part.esm_class,
    registered_delivery: profile.registered_delivery ? finalReceipt : 0,
    data_coding: part.data_coding,
    short_message: part.short_message,
    ...(part.tlvs && { tlvs: part.tlvs }),
  };
}
