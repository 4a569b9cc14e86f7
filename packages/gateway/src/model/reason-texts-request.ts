/** Catalogue texts of request reasons and recipient statuses. */
import type { ReasonText } from './reason-text.ts';

type Texts<Code extends string> = Readonly<Record<Code, ReasonText>>;

/** The whole request was refused because of its content. */
const refused = { httpStatus: 400, retryable: false, billed: 'no', issued: true } as const;
/** One recipient was refused within a 200 answer. */
const refusedRecipient = { httpStatus: 200, retryable: false, billed: 'no', issued: true } as const;

const accepting = {
  SUCCESS: {
    httpStatus: 200,
    retryable: false,
    billed: 'if_sent',
    issued: true,
    title: 'The request was accepted',
    cause: ['Everything that can be checked before sending is in order, and the message is stored safely.'],
    fix: ['Read `schema.resultResponses` for the result of each recipient.'],
  },
} as const satisfies Texts<string>;

const credentials = {
  NOT_AUTHORIZED: {
    ...refused,
    title: 'The credentials were not accepted',
    cause: [
      'The Bearer Token or the Auth Token is missing, mistyped, expired or revoked.',
      'The two tokens belong to different key pairs.',
      'The key pair does not have the scope for this call, or may not be used from this address.',
    ],
    fix: [
      'Send both: the header `Authorization: Bearer <Bearer Token>` and the query parameter `apikey=<Auth Token>`.',
      'Copy both tokens of one pair again, or make a new pair.',
      'Check the scopes and the allowed addresses of the pair.',
    ],
  },
  ACCOUNT_SUSPENDED: {
    ...refused,
    title: 'The account is suspended',
    cause: ['An operator suspended the account these credentials belong to.'],
    fix: ['Ask the operator of this gateway.'],
  },
} as const satisfies Texts<string>;

const form = {
  INVALID_REQUEST: {
    ...refused,
    title: 'The HTTP request could not be understood',
    cause: [
      'The request is not well-formed HTTP/1.1. The same reason comes with HTTP 431 when the headers are too large, with HTTP 408 when the request came too slowly, and with HTTP 421 when the header `Host` has a name that is not the gateway’s (`HELIO_PUBLIC_URL`, `HELIO_ALLOWED_HOSTS`).',
    ],
    fix: ['Use an ordinary HTTP client, and check proxies between it and the gateway.'],
  },
  UNSUPPORTED_CONTENT_TYPE: {
    ...refused,
    title: 'This operation does not take this type of body',
    cause: [
      '`Content-Type` is missing or not `application/json` in UTF-8.',
      'The body is compressed (`Content-Encoding`).',
      'An uploaded file is empty, or its content has none of the types that a message can carry.',
    ],
    fix: [
      'Send `Content-Type: application/json`.',
      'Send the body uncompressed.',
      'Upload one whole JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3 file as the body.',
    ],
  },
  BODY_TOO_LARGE: {
    ...refused,
    title: 'The body is too large',
    cause: [
      'The request body is over the limit that `GET /limits` shows.',
      'An uploaded file is over 5 MB, or an image with too many pixels.',
    ],
    fix: ['Split the recipients, or the entries of an import, over several requests.', 'Upload a smaller file.'],
  },
  INVALID_JSON: {
    ...refused,
    title: 'The body is not acceptable JSON',
    cause: [
      'The body is not JSON, or not UTF-8.',
      'An object has the same key twice, which programs read differently.',
      'Objects or arrays are nested too deeply.',
    ],
    fix: [
      'Let a JSON library write the body instead of joining strings.',
      'Send each key once.',
      'Send only the documented fields.',
    ],
  },
  MISSING_FIELD: {
    ...refused,
    title: 'A required field is missing',
    cause: ['`from`, `to` or `text` is absent or null; `detail` names it.'],
    fix: ['Add the field that `detail` names.'],
  },
  INVALID_FIELD: {
    ...refused,
    title: 'A field has an invalid value',
    cause: ['A field, query parameter or header has the wrong type or a value outside its range; `detail` names it.'],
    fix: ['Correct what `detail` names.'],
  },
  INVALID_REFERENCE_ID: {
    ...refused,
    title: 'referenceId cannot be used',
    cause: ['`referenceId` is not a string of 1–128 characters, or has NUL or half a surrogate pair.'],
    fix: ['Send a string of 1–128 characters, or leave the field out.'],
  },
  EMPTY_RECIPIENTS: {
    ...refused,
    title: 'There is no recipient',
    cause: ['`to` is an empty array.'],
    fix: ['Put at least one number into `to`.'],
  },
  TOO_MANY_RECIPIENTS: {
    ...refused,
    title: 'There are too many recipients',
    cause: ['`to` holds more numbers than `GET /limits` allows in one request.'],
    fix: ['Split the recipients over several requests.'],
  },
  TEXT_EMPTY: {
    ...refused,
    title: 'There is nothing to send',
    cause: ['`text` is empty or blank and there is no media.'],
    fix: ['Send a text, or at least one URL in `mediaUrls`.'],
  },
  TEXT_TOO_LONG: {
    ...refused,
    title: 'The text is too long',
    cause: [
      '`text` needs more segments (SMS) or has more characters (MMS) than `GET /limits` allows; `detail` says which.',
    ],
    fix: ['Shorten the text. One character outside GSM-7 more than halves the space in an SMS.'],
  },
  INVALID_MEDIA_URL: {
    ...refused,
    title: 'A media URL cannot be used',
    cause: ['An entry of `mediaUrls` is not an http or https URL, is too long, or contains a user name or password.'],
    fix: ['Use plain, publicly reachable http or https URLs.'],
  },
  TOO_MANY_MEDIA: {
    ...refused,
    title: 'There are too many media',
    cause: ['`mediaUrls` holds more entries than `GET /limits` allows.'],
    fix: ['Send fewer media in one message.'],
  },
  NOT_WAITING: {
    ...refused,
    httpStatus: 409,
    title: 'The message is not waiting any more',
    cause: [
      'A message can be canceled while it is `queued` or `held`. This one is being sent, was sent, or has ended.',
    ],
    fix: ['Nothing. `detail` names its state; a message that was sent cannot be taken back.'],
  },
  NOT_FOUND: {
    ...refused,
    httpStatus: 404,
    title: 'There is nothing here',
    cause: ['No operation has this path.', 'The account has no object with this id.'],
    fix: ['Check the path: sending is `POST /SendSMS`.', 'Check the id and the credentials.'],
  },
  METHOD_NOT_ALLOWED: {
    ...refused,
    httpStatus: 405,
    title: 'This path does not take this method',
    cause: ['The path exists, but not for this HTTP method; the header `Allow` names those it takes.'],
    fix: ['Use a method that `Allow` names: sending is `POST /SendSMS`.'],
  },
} as const satisfies Texts<string>;

const rules = {
  INVALID_SENDER: {
    ...refused,
    title: 'from is neither a number nor a name',
    cause: [
      '`from` is neither digits in E.164 without the plus sign, nor a short code of 5–6 digits, nor a name of at most 11 letters and digits.',
    ],
    fix: ['Write the number with country code and digits only, for example `12025550199`.'],
  },
  SENDER_NOT_FOUND: {
    ...refused,
    title: 'The sending number is not on this account',
    cause: [
      'The number in `from` is not on the account of these credentials.',
      'A sandbox key was used with a live number, or the reverse.',
    ],
    fix: ['Use one of the account’s numbers.', 'Use a key pair of the same environment as the number.'],
  },
  SENDER_NOT_ENABLED: {
    ...refused,
    title: 'The sending number is switched off for this kind of message',
    cause: [
      'SMS is not enabled for the number in `from`, MMS is switched off, or the key pair may not send from this number; `detail` says which.',
    ],
    fix: ['Enable it for the number, or allow the number for the key pair, then send again.'],
  },
  CAMPAIGN_REQUIRED: {
    ...refused,
    title: 'The sending number has no approved campaign',
    cause: [
      'The number in `from` is on no 10DLC campaign, or its campaign is not approved yet. Carriers block such traffic.',
      'The number is toll-free or a short code, and is not recorded as verified.',
    ],
    fix: [
      'Put the number on an approved campaign.',
      'Once carriers have approved a toll-free number or short code, ask the operator of the gateway to record that.',
    ],
  },
  CAMPAIGN_NOT_ACTIVE: {
    ...refused,
    title: 'The campaign of the sending number is suspended or expired',
    cause: ['The campaign was approved once but is not active now.'],
    fix: ['Clear the suspension or renew the campaign, or move the number to another one.'],
  },
  IDEMPOTENCY_KEY_REUSED: {
    ...refused,
    title: 'The Idempotency-Key was used for another request',
    cause: ['The same `Idempotency-Key` came with a different body within the time that keys are kept.'],
    fix: ['Use a new key for each new message, and the same key only to repeat exactly the same body.'],
  },
  SPEND_LIMIT_REACHED: {
    ...refused,
    title: 'The limit for the period is reached',
    cause: [
      'The key pair has used up its daily cap (UTC days), or the request has more recipients than the rest of the cap.',
    ],
    fix: ['Raise the cap under API keys, send to fewer, or wait for the next day.'],
  },
} as const satisfies Texts<string>;

const load = {
  RATE_LIMITED: {
    httpStatus: 429,
    retryable: true,
    billed: 'no',
    issued: true,
    title: 'Too many requests',
    cause: ['The key pair or the account sends more requests per second than it may.'],
    fix: [
      'Wait as long as `Retry-After` says, then send the same request again. One request may hold many recipients.',
    ],
  },
  TEMPORARILY_UNAVAILABLE: {
    httpStatus: 503,
    retryable: true,
    billed: 'no',
    issued: true,
    title: 'The gateway cannot take the request now',
    cause: [
      'The gateway is starting, stopping or overloaded, or its store cannot be written.',
      'Messages to these recipients would wait for their carrier longer than your account allows.',
      'Only where `detail` says that it may have been accepted: PostgreSQL went away in the commit and did not come back in time.',
    ],
    fix: ['Wait as long as `Retry-After` says, then send the same request again with the same `Idempotency-Key`.'],
  },
  INTERNAL_ERROR: {
    httpStatus: 500,
    retryable: true,
    billed: 'no',
    issued: true,
    title: 'The gateway made a mistake',
    cause: ['A fault inside the gateway.'],
    fix: [
      'Send the same request again with the same `Idempotency-Key`. If the error persists, tell the operator the `X-Request-Id`.',
    ],
  },
} as const satisfies Texts<string>;

export const requestTexts = { ...accepting, ...credentials, ...form, ...rules, ...load };

export const recipientTexts = {
  SUCCESS: {
    ...refusedRecipient,
    billed: 'if_sent',
    title: 'Accepted for sending to this number',
    cause: ['The message to this number is stored and on its way.'],
    fix: ['Nothing. Webhooks and message look-up report the outcome.'],
  },
  INVALID_NUMBER: {
    ...refusedRecipient,
    title: 'Not a telephone number',
    cause: [
      'The entry is not digits in E.164 without the plus sign, or not a possible number of the North American plan.',
    ],
    fix: ['Write the number with country code and digits only, for example `12025550100`.'],
  },
  SENDER_EQUALS_RECIPIENT: {
    ...refusedRecipient,
    title: 'The number would text itself',
    cause: ['The entry is the same number as `from`.'],
    fix: ['Use another recipient.'],
  },
  DUPLICATE_RECIPIENT: {
    ...refusedRecipient,
    title: 'The number is already in the list',
    cause: ['An earlier entry of `to` is the same number; that entry gets the message.'],
    fix: ['Nothing, or remove the duplicate.'],
  },
  DESTINATION_NOT_ALLOWED: {
    ...refusedRecipient,
    title: 'The account may not text this country',
    cause: ['The country of the number is not among the allowed destinations of the account.'],
    fix: ['Ask the operator to allow the country.'],
  },
  OPTED_OUT: {
    ...refusedRecipient,
    title: 'This person does not want messages',
    cause: [
      'The recipient answered STOP (or another opt-out word) to a number of this campaign.',
      'The opt-out was entered by hand, by the API or by an import, or a carrier reported it.',
    ],
    fix: ['Remove the number from your list. The person opts in again by answering START.'],
  },
  NO_ROUTE: {
    ...refusedRecipient,
    title: 'No carrier takes messages to this number',
    cause: [
      'No enabled carrier and no routing rule fits the number.',
      'The message has media and no carrier on the route takes MMS. `mmsFallback` acts only on an MMS that was accepted.',
    ],
    fix: ['Ask the operator to add a route.', 'Send a text with a link instead.'],
  },
  RATE_LIMITED: {
    ...refusedRecipient,
    retryable: true,
    title: 'Too many messages to this number',
    cause: ['The account sent this recipient more messages in a short time than it may.'],
    fix: ['Wait a little and send to this recipient again.'],
  },
  BLOCKED_BY_FRAUD_GUARD: {
    ...refusedRecipient,
    title: 'A premium-rate number, or a range known for fraud',
    cause: [
      'The number is premium-rate, shared-cost, personal or satellite: its owner may earn from texts to it. Most such texts come from abuse of a form that sends texts.',
    ],
    fix: [
      'Protect the form that triggers your messages: limit it per person and address.',
      'If the number is intended, an Owner can turn the fraud guard off under Company, if the operator allows it.',
    ],
  },
} as const satisfies Texts<string>;
