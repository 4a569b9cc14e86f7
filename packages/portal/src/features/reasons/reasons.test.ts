import '../../language/english';

import { describe, expect, it } from 'vitest';
import { found, type Reason } from './reasons';

const reason = (code: string, title: string): Reason => ({
  code,
  title,
  scope: 'request',
  httpStatus: 400,
  retryable: false,
  billed: 'no',
  issued: true,
  cause: ['The number is wrong.'],
  fix: ['Look at it.'],
});
const all = [reason('INVALID_NUMBER', 'The number cannot be'), reason('OPTED_OUT', 'They said STOP')];

describe('the search for codes', () => {
  it.each([
    ['', 2],
    ['  ', 2],
    ['opted', 1],
    ['invalid number', 1],
    ['LOOK stop', 1],
    ['nothing like it', 0],
  ])('%j finds %i', (text, count) => expect(found(all, text)).toHaveLength(count));
});
