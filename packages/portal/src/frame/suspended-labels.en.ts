/** What is said to people of a suspended company. */
export const suspendedWords = {
  title: 'This company is suspended: nothing is sent',
  detail:
    'Nothing can be added or changed either; earlier messages can still be read. Ask the operator of this gateway for the reason.',
  send: 'Suspended: nothing can be sent',
} as const;
