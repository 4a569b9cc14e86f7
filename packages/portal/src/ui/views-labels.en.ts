/** Sentences of named searches, on every list. */
export const viewLabels = {
  menu: 'Views',
  save: 'Save this search …',
  manage: 'Remove a view …',
  saveTitle: 'Save this search as a view',
  name: 'Name',
  nameWrong: 'Write a name.',
  kept: 'Views are kept in this browser, for you alone. On another machine they are not there.',
  notKept: 'This browser keeps nothing, so the view is gone when the page is.',
  nothing: 'Search for something first: a view is a search with a name.',
  saveIt: 'Save',
  manageTitle: 'Saved views',
  remove: (name: string) => `Remove ${name}`,
  none: 'No views are saved in this browser.',
  close: 'Done',
} as const;
