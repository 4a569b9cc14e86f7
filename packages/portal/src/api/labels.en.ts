/** Sentences for a gateway that is unreachable, or that accepts a request and never answers. */
const seconds = (ms: number): string => `${Math.round(ms / 1_000)} seconds`;

export const answerLabels = {
  unreadable: 'The gateway gave no answer that can be read.',
  away: 'The gateway cannot be reached from this browser.',
  /** In place of data that could not be read. */
  absent: 'The gateway does not answer. This page will load when it is back.',
  left: 'You chose not to go on.',
  /** Fixed refusals by code, or by code and field, which replace the gateway's own English. Empty in English. */
  refusals: {} as Readonly<Record<string, string>>,
  silent: {
    read: (ms: number) =>
      `The gateway has not answered for ${seconds(ms)}. It may be very busy, or stuck. Nothing was changed by asking.`,
    write: (ms: number, look: string) =>
      `The gateway has not answered for ${seconds(ms)}, so it is not known whether this was done. ${look}`,
    /** Where to see whether it was done. */
    look: {
      send: 'Look under Messages before you send it again: it is listed there if it was accepted.',
      messages: 'Look under Messages, at these messages, before you do it again.',
      any: 'Load this page again and look before you do it a second time; the Activity of a record and the audit log name every change.',
    },
  },
} as const;
