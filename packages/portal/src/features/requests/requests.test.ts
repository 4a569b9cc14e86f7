import '../../language/english';

import { describe, expect, it } from 'vitest';
import { refilled } from './requests.ts';

describe('a redacted body', () => {
  it('gets its texts back as whatever is filled in, and loses what was noted of them', () => {
    const redacted = { from: '1', text: null, textLength: 7, entries: [{ reason: null, reasonLength: 2 }], x: null };
    expect(refilled(JSON.stringify(redacted), (length) => '?'.repeat(length))).toEqual({
      body: { from: '1', text: '???????', entries: [{ reason: '??' }], x: null },
      texts: 2,
      isCut: false,
    });
  });

  it('says that a list was cut, and keeps fields that only sound alike', () => {
    expect(refilled('{"to":["1"],"toCount":9,"focalLength":5,"Count":1}', () => '')).toEqual({
      body: { to: ['1'], focalLength: 5, Count: 1 },
      texts: 0,
      isCut: true,
    });
  });
});
