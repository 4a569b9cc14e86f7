/**
 * X-Mms-Request-Status-Code: the result of the request in its RES. Source: 3GPP TS 23.140 §8.4.5.5; Bandwidth's codes.
 */
import { wordIn } from './mms-message.ts';
import { refused, type StatusMeaning } from './status.ts';

export const mm4RequestStatuses = [
  'Ok',
  'Error-unspecified',
  'Error-service-denied',
  'Error-message-format-corrupt',
  'Error-sending-address-unresolved',
  'Error-network-problem',
  'Error-content-not-accepted',
  'Error-unsupported-message',
  'Error-message-not-found',
] as const;

export type Mm4RequestStatus = (typeof mm4RequestStatuses)[number];

const meanings: Readonly<Record<Mm4RequestStatus, StatusMeaning>> = {
  Ok: { kind: 'accepted' },
  'Error-unspecified': refused('few', 'service'),
  'Error-service-denied': refused('never', 'service'),
  'Error-message-format-corrupt': refused('never', 'protocol'),
  'Error-sending-address-unresolved': refused('never', 'address'),
  'Error-network-problem': refused('later', 'service'),
  'Error-content-not-accepted': refused('never', 'content'),
  'Error-unsupported-message': refused('never', 'protocol'),
  'Error-message-not-found': refused('never', 'id'),
};

/** X-Internal-Status-Code of Bandwidth, which is more precise than the status word. */
const vendors: ReadonlyMap<string, StatusMeaning> = new Map([
  ['300', refused('never', 'protocol')],
  ['410', refused('never', 'content')],
  ['411', refused('never', 'content')],
  ['412', refused('never', 'content')],
  ['420', refused('never', 'address')],
  ['421', refused('never', 'address')],
  ['435', refused('one_by_one', 'address')],
]);

/**
 * An unknown word is a refusal, because only Ok means acceptance. `vendorCode` makes a refusal more precise, but never
 * turns it into an Ok.
 */
export const mm4Status = (requestStatus: string, vendorCode = ''): StatusMeaning => {
  const known = wordIn(mm4RequestStatuses, requestStatus);
  if (known === 'Ok') return meanings.Ok;
  return vendors.get(vendorCode) ?? meanings[known ?? 'Error-unspecified'];
};
