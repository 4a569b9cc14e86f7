/** Sentences of the search by form, and of filters in words. */
export const searchFormWords = {
  open: 'Filter',
  title: 'Filter messages',
  apply: 'Show them',
  cancel: 'Cancel',
  any: 'Any',
  outbound: 'Outbound',
  inbound: 'Inbound',
  utc: 'Days are UTC.',
  notes: {
    after: 'From the beginning of this day, UTC.',
    before: 'Up to the beginning of this day, UTC.',
    reason: 'A code such as OPTED_OUT.',
  } as Partial<Record<string, string>>,
  fields: {
    to: 'To',
    from: 'From',
    status: 'Status',
    direction: 'Direction',
    type: 'Type',
    text: 'Text has',
    reason: 'Reason',
    ref: 'Reference',
    key: 'Key',
    after: 'From day',
    before: 'Before day',
  },
} as const;
