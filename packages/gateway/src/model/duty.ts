/**
 * The duties of a gateway besides its send queues. Of several nodes on one store, one has each of them, and only its
 * transactions store what belongs to it.
 */
export const duties = [
  /** Gives events out to endpoints, and sends webhooks. */
  'webhooks',
  /** Fetches and fits the media of accepted MMS; deletes media that nobody needs. */
  'media',
  /** Counts messages for billing and by the hour. */
  'usage',
  /** Deletes what is too old, and what people requested to erase. */
  'retention',
  /** Expiry, messages in doubt, the queues of dead carriers. */
  'sweeper',
] as const;

export type Duty = (typeof duties)[number];

/** Its name among what nodes own, beside the ids of carriers, in which no slash can be. */
export const ownedDuty = (duty: Duty): `duty/${Duty}` => `duty/${duty}`;

/** Null for the name of a send queue. */
export function dutyOf(name: string): Duty | null {
  return duties.find((duty) => ownedDuty(duty) === name) ?? null;
}
