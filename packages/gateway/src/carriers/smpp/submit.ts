/** A submission as submit_sm fields, in the spelling one carrier wants. Pure. */
import { type PduFields, type SmPart, textToParts } from '@heliograph/smpp';
import { isShortCode } from '../../domain/number.ts';
import { partNumbers } from '../../domain/spans.ts';
import type { Submission } from '../carrier.ts';
import { ownRefusal, type Refused } from '../submit-try.ts';
import { type SmppDetails, type SmppProfile, smppTakes } from './profile.ts';

/** SMPP 3.4 §5.2.17: a receipt for the final outcome, whether good or bad. */
const finalReceipt = 1;

/** The parts that an earlier try did not hand over already, or why there are none to send. */
export function partsOf(submission: Submission, profile: SmppProfile): SmPart[] | Refused {
  if (!smppTakes.includes(submission.kind)) {
    return ownRefusal('MMS_NOT_SUPPORTED', `This carrier takes no ${submission.kind}.`);
  }
  const made = textToParts(submission.text, submission.concatReference, profile);
  if (made === null) return ownRefusal('MALFORMED', 'The text needs more parts than a message can have.');
  const { partsAccepted } = submission;
  if (partsAccepted.length === 0) return made.parts;
  // One that stands for several goes again as long as any of them is missing.
  return made.parts.filter((part) => partNumbers(part).some((number) => !partsAccepted.includes(number)));
}

/** validity_period stays empty: a message waits with us, not with the carrier. */
export function submitSm(
  { from, to }: Submission,
  part: SmPart,
  profile: SmppProfile & SmppDetails,
): PduFields<'submit_sm'> {
  const [source_addr_ton, source_addr_npi] = kindOfSender(from, profile);
  return {
    source_addr_ton,
    source_addr_npi,
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

/** Type of number and numbering plan. Anything but digits is a name. */
function kindOfSender(from: string, profile: SmppProfile & SmppDetails): [ton: number, npi: number] {
  if (!/^[0-9]+$/.test(from)) return [profile.alphanumeric_ton, profile.alphanumeric_npi];
  if (isShortCode(from)) return [profile.short_code_ton, profile.short_code_npi];
  return [profile.source_addr_ton, profile.source_addr_npi];
}
