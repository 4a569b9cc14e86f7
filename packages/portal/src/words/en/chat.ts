/** Sentences of the reply box and of bubbles, wherever they stand. */
export const chatWords = {
  send: 'Send',
  attach: 'Attach picture',
  remove: (name: string) => `Remove ${name}`,
  uploading: 'Uploading',
  count: (segments: number, units: number, encoding: string) =>
    segments > 1 ? `${units} · ${encoding} · ${segments} parts` : `${units} · ${encoding}`,
  asMms: 'goes as MMS',
  empty: 'Type something, or attach a picture, then send.',
  gone: 'This medium had to make room for newer ones.',
  open: 'Open',
  keys: 'Enter sends, Shift Enter begins a new line.',
} as const;
