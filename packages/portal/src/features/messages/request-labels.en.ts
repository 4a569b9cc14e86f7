/** Sentences of the request behind a message, and of its answer. */
export const requestWords = {
  request: 'Request',
  response: 'Response',
  fields: 'All fields',
  curl: 'Copy as curl',
  open: 'All messages of this request',
  by: {
    api: 'Rebuilt from what is stored: without tokens, headers, spaces and unknown fields.',
    portal: 'It was sent from this portal. The same call by the API:',
  },
  kept: (time: string) => `The original answer with all its recipients, kept for its Idempotency-Key until ${time}.`,
  rebuilt:
    'Rebuilt from what is stored: the answer itself is kept only for requests with an Idempotency-Key, and for 72 hours.',
  notes: {
    'reference left out':
      'Its reference looks like those the gateway gives to requests without one, so it is left out here.',
    cut: 'It has more recipients than are shown here.',
  },
  gateway: 'No request made this message: the gateway sent it by itself.',
  textGone: 'Its text was deleted because of its age, so its request and response cannot be shown any more.',
  notReader: 'Your role may not read texts, and request and response hold one. Ask an Owner or Admin.',
} as const;
