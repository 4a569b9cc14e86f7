/** The limits that callers can reach, with their defaults. `GET /limits` shows them. */

/**
 * On a stop, answers that carriers still owe after this long are stored as uncertain. With the time for carriers to
 * answer our unbind, a stop takes less than ten seconds.
 */
export const stopDrainMs = 4_000;

/** On a stop, requests that are still open after this long are cut; a store that is away is given up before. */
export const stopRequestsMs = 5_000;

/** Of a stop, ms from its beginning: webhooks that are not answered by then are sent again, under the same id. */
export const stopWebhooksMs = 8_000;

export interface Limits {
  recipientsMax: number;
  /** Segments of one SMS. */
  smsSegmentsMax: number;
  /** Unicode code points of the text of an MMS. */
  mmsTextCharactersMax: number;
  mediaMax: number;
  /** Bytes of one medium as fetched. */
  mediaBytesMax: number;
  mediaUrlCharactersMax: number;
  bodyBytesMax: number;
  jsonDepthMax: number;
  referenceIdCharactersMax: number;
  idempotencyKeyCharactersMax: number;
  idempotencyKeptHours: number;
  validityMinutesMin: number;
  validityMinutesMax: number;
  validityMinutesDefault: number;
  /** Defaults of a key pair; each pair may have its own. */
  requestsPerSecond: number;
  burst: number;
  /** Texts per second to one recipient from one account and their burst; 0 = no limit. */
  recipientMessagesPerSecond: number;
  recipientBurst: number;
}

export const defaultLimits: Limits = {
  recipientsMax: 1_000,
  smsSegmentsMax: 10,
  mmsTextCharactersMax: 1_600,
  mediaMax: 10,
  mediaBytesMax: 5 * 1024 * 1024,
  mediaUrlCharactersMax: 4_096,
  bodyBytesMax: 256 * 1024,
  jsonDepthMax: 16,
  referenceIdCharactersMax: 128,
  idempotencyKeyCharactersMax: 255,
  idempotencyKeptHours: 72,
  validityMinutesMin: 1,
  validityMinutesMax: 48 * 60,
  validityMinutesDefault: 4 * 60,
  requestsPerSecond: 50,
  burst: 100,
  recipientMessagesPerSecond: 0,
  recipientBurst: 10,
};
