/** Sentences for a form whose record somebody else changed while it was open. */
export const conflictLabels = {
  title: 'Somebody else changed this meanwhile',
  detail: 'What you entered is not saved yet. Fields that you did not touch stay as they are now on record.',
  same: 'Your entries match what is stored now.',
  columns: { field: 'Field', theirs: 'Now on record', mine: 'Yours' },
  theirs: 'Take theirs',
  mine: 'Save mine',
  empty: '—',
} as const;
