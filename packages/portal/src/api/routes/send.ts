/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface SendRoutes {
  'POST /send': {
    query: Record<never, never>;
    body: {
      /** The sending number: E.164 digits without the plus sign, a short code, or a name of the account for other countries than the US and Canada. */
      from: string;
      /** The receiving numbers: E.164 digits without the plus sign. One separate message each. */
      to: string[];
      /** The message body. */
      text: string;
      /** Public http or https URLs of media. A non-empty list makes the message an MMS. */
      mediaUrls?: string[] | null;
      /** Your own id, echoed. A label, not a key: the same one may be sent twice. */
      referenceId?: string | null;
      /** How long the message may wait in the queue; 240 when left out. */
      validityMinutes?: number | null;
    };
    answer: never;
  };
}
