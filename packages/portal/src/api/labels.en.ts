/** Sentences for a gateway that cannot be reached, or that takes what is asked and says nothing. */
const seconds = (ms: number): string => `${Math.round(ms / 1_000)} seconds`;

export const answerWords = {
  unreadable: 'The gateway gave no answer that can be read.',
  away: 'The gateway cannot be reached from this browser.',
  /** In the place of what was not read. */
  absent: 'The gateway does not answer. This page will load when it is back.',
  left: 'You chose not to go on.',
  /**
   * Of refusals that always say the same, by code, and by code and field: in the place of the gateway's own English. In
   * English nothing.
   */
  refusals: {} as Readonly<Record<string, string>>,
  silent: {
    read: (ms: number) =>
      `The gateway has not answered for ${seconds(ms)}. It may be very busy, or stuck. Nothing was changed by asking.`,
    write: (ms: number, look: string) =>
      `The gateway has not answered for ${seconds(ms)}, so it is not known whether this was done. ${look}`,
    /** What tells whether it was done. */
    look: {
      send: 'Look under Messages before you send it again: it is listed there if it was accepted.',
      messages: 'Look under Messages, at these messages, before you do it again.',
      any: 'Load this page again and look before you do it a second time; the Activity of a record and the audit log name every change.',
    },
  },
} as const;
