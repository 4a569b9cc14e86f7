/** Catalogue texts of outcome codes: what happened to a message after it was accepted. */
import type { ReasonText } from './reason-text.ts';

type Texts<Code extends string> = Readonly<Record<Code, ReasonText>>;

const after = { httpStatus: null, retryable: false, billed: 'if_sent', issued: true } as const;
/** The message was never sent, so nothing is billed. */
const neverLeft = { ...after, billed: 'no' } as const;

export const outcomeTexts = {
  DELIVERED: {
    ...after,
    billed: 'yes',
    title: 'Delivered',
    cause: ['The carrier reports that the handset has the message.'],
    fix: ['Nothing.'],
  },
  UNREACHABLE: {
    ...after,
    retryable: true,
    title: 'The handset could not be reached',
    cause: ['The handset was off, without coverage or full until the carrier gave up.'],
    fix: ['Try again later.'],
  },
  UNKNOWN_SUBSCRIBER: {
    ...after,
    title: 'The number is not in use',
    cause: ['The carrier knows no subscriber with this number.'],
    fix: ['Remove the number from your list.'],
  },
  NOT_MOBILE: {
    ...after,
    title: 'The number cannot receive texts',
    cause: ['It is a landline or another line without messaging.'],
    fix: ['Use a mobile number.'],
  },
  EXPIRED: {
    ...after,
    retryable: true,
    title: 'The validity ended first',
    cause: [
      'It waited in the queue until its validity ended, and was never tried: its state is `expired`.',
      'The carrier took it and gave up before the handset could be reached: its state is `undelivered`.',
    ],
    fix: ['Send again, with a longer `validityMinutes` if it can wait.', 'Send again later.'],
  },
  CANCELED: {
    ...after,
    title: 'Canceled',
    cause: ['A person canceled the message, or the carrier deleted it.'],
    fix: ['Send again if it is still wanted.'],
  },
  CARRIER_REJECTED: {
    ...after,
    title: 'The carrier refused the message',
    cause: ['The carrier gave a reason without a code of its own; see `carrierCode`.'],
    fix: ['Look up `carrierCode` in the carrier’s documents, or ask the operator.'],
  },
  CARRIER_FILTERED: {
    ...after,
    title: 'Filtered as spam',
    cause: ['A filter of the carrier matched the content or the pattern of the traffic.'],
    fix: ['Send what the campaign was registered for; avoid public link shorteners.'],
  },
  CARRIER_OPTED_OUT: {
    ...after,
    title: 'The carrier holds an opt-out',
    cause: ['The recipient opted out at the carrier. The gateway enters it into its own list, too.'],
    fix: ['Remove the number from your list.'],
  },
  CAMPAIGN_LIMIT: {
    ...after,
    issued: true,
    retryable: true,
    title: 'The campaign is over its rate at the carrier',
    cause: [
      'The carrier allows this campaign less traffic than was sent.',
      'While the message is queued: it waits for its turn, because the campaign has used up its messages of this minute.',
    ],
    fix: ['Spread the traffic, or raise the campaign’s class.'],
  },
  DAILY_CAP_REACHED: {
    ...neverLeft,
    retryable: true,
    title: 'The brand’s daily cap is reached',
    cause: [
      'The carrier takes no more messages of this brand today, and validity ends before the cap is reset.',
      'While the message is queued: it waits for the reset at midnight, Pacific time.',
    ],
    fix: ['Send again after the reset, or raise the brand’s class.'],
  },
  QUIET_HOURS: {
    ...neverLeft,
    retryable: true,
    title: 'It waits for the end of the company’s quiet hours',
    cause: ['The message was accepted or retried during the quiet hours.'],
    fix: ['Wait: the gateway sends it later. Excepted campaigns, such as one-time passwords, are sent at any hour.'],
  },
  CARRIER_UNAVAILABLE: {
    ...neverLeft,
    retryable: true,
    title: 'The carrier did not take it in time',
    cause: [
      'The carrier was down, full or throttling until validity ended: its state is `expired`.',
      'By then it had taken some segments of a long message, and not the others: its state is `failed`.',
    ],
    fix: ['Send again.'],
  },
  MALFORMED: {
    ...after,
    title: 'The carrier could not read the message',
    cause: ['A setting of the carrier connection does not suit the carrier.'],
    fix: ['Tell the operator the `messageId`.'],
  },
  MEDIA_UNREACHABLE: {
    ...neverLeft,
    retryable: true,
    title: 'A medium could not be fetched',
    cause: ['The URL did not answer in time or answered with an error.'],
    fix: ['Check that the URL opens without login from the internet.'],
  },
  MEDIA_BLOCKED: {
    ...neverLeft,
    title: 'A media URL may not be opened',
    cause: ['The URL leads to a private, local or otherwise forbidden address or port.'],
    fix: ['Use a publicly reachable URL.'],
  },
  MEDIA_TOO_LARGE: {
    ...neverLeft,
    title: 'A medium is too large',
    cause: ['The medium is over the limit and could not be made small enough.'],
    fix: ['Use a smaller file.'],
  },
  MEDIA_TYPE_NOT_SUPPORTED: {
    ...neverLeft,
    title: 'A medium has a type that cannot be sent',
    cause: ['The content (not the name) is of a type that MMS does not carry, or the file is damaged.'],
    fix: ['Use JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3.'],
  },
  MMS_NOT_SUPPORTED: {
    ...after,
    title: 'The recipient cannot get MMS',
    cause: ['The recipient’s carrier or handset takes no MMS.'],
    fix: ['Send a text with a link instead. With `mmsFallback` `links` on the account, the gateway does this itself.'],
  },
  NO_RECEIPT: {
    ...after,
    billed: 'yes',
    title: 'The carrier never reported the outcome',
    cause: [
      'No receipt came within the wait, which is 72 hours for a real carrier. The message may well have arrived.',
    ],
    fix: ['Do not send again only because of this.'],
  },
  UNCERTAIN: {
    ...after,
    title: 'It is unknown whether the carrier has it',
    cause: [
      'The carrier got the message and gave no usable answer.',
      'The connection broke, or the gateway stopped, after the message was written and before the carrier answered.',
      'Its validity ended before the outcome was known: its state is `unconfirmed`. It may well have arrived.',
    ],
    fix: [
      'Wait: a receipt or the account’s policy settles it. The gateway repeats it a few times at most, marked `dupRisk`.',
      'Do not send an `unconfirmed` message again only because of this.',
    ],
  },
  OPTED_OUT: {
    ...neverLeft,
    title: 'The recipient opted out before it was sent',
    cause: ['The opt-out came after the message was accepted and before it was sent.'],
    fix: ['Remove the number from your list.'],
  },
  SENDER_NOT_ENABLED: {
    ...neverLeft,
    title: 'The sending number was switched off before it was sent',
    cause: ['The number was disabled or removed after the message was accepted.'],
    fix: ['Enable the number, then send again.'],
  },
  CAMPAIGN_NOT_ACTIVE: {
    ...neverLeft,
    title: 'The campaign stopped being active before it was sent',
    cause: ['The campaign was suspended, expired or removed after the message was accepted.'],
    fix: ['Clear the suspension, then send again.'],
  },
  GATEWAY_ERROR: {
    ...neverLeft,
    title: 'The gateway failed with this message',
    cause: ['A fault inside the gateway, repeated over several tries.'],
    fix: ['Tell the operator the `messageId`.'],
  },
  UNKNOWN: {
    ...after,
    title: 'An unknown code',
    cause: ['The carrier sent a code that the gateway does not know; see `carrierCode`.'],
    fix: ['Look up `carrierCode` in the carrier’s documents.'],
  },
} as const satisfies Texts<string>;
