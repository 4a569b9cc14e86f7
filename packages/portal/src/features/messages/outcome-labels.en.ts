/** Sentences of what became of a message, where it tells more than the catalogue of codes. */
export const outcomeWords = {
  names: {
    carrierCode: 'the carrier’s own code',
    messageId: 'the message id',
    mmsFallback: 'fallback for MMS',
    links: '“links”',
  },
  neverLeftTitle: 'It waited too long, and was not sent',
  gaveUpTitle: 'The phone was not reached in time',
  neverLeft: {
    cause: 'It waited in the queue until its time was over, and never left.',
    fix: 'Send it again; let it wait longer if it may.',
  },
  gaveUp: {
    cause: 'The carrier took it, and gave up before the handset could be reached.',
    fix: 'Send it again later; the handset may be off or without coverage.',
  },
  noReceipt: (time: string) => `No receipt came within ${time}. The message may well have arrived.`,
  tooFast: 'Too fast for the carrier, or its queue is full: it is tried again.',
  billed: 'Billed: the carrier took it.',
  notBilled: 'Not billed: no carrier took it.',
  notYet: 'Not billed yet: no carrier has taken it.',
} as const;
