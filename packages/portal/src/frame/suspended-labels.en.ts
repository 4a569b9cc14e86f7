/** What is said to people of a suspended company. */
export const suspendedWords = {
  title: 'This company is suspended: nothing is sent',
  detail:
    'Nothing can be added or changed either. What was sent and received stays to be read. Ask the operator of this gateway why, and what ends it.',
  send: 'Suspended: nothing can be sent',
} as const;
