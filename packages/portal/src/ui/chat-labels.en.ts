/** Sentences of the reply box and of bubbles, on all pages. */
export const chatLabels = {
  details: 'details of this message',
  send: 'Send',
  attach: 'Attach picture',
  attachFile: 'Attach file',
  remove: (name: string) => `Remove ${name}`,
  uploading: 'Uploading',
  count: (segments: number, characters: number, encoding: string) =>
    segments > 1 ? `${characters} · ${encoding} · ${segments} segments` : `${characters} · ${encoding}`,
  tooLong: (segments: number, most: number) => `Too long: ${segments} segments, at most ${most}`,
  asMms: 'goes as MMS',
  empty: 'Type something, or attach a picture, then send.',
  gone: 'This medium had to make room for newer ones.',
  open: 'Open',
  save: 'Save',
  saveNamed: (name: string) => `Save ${name}`,
  keys: 'Enter sends, Shift Enter begins a new line.',
} as const;
