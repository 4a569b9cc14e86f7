/** Refused recipients are listed in the request's order. */
import { describe, expect, it } from 'vitest';
import type { Listed } from './message-data';
import { inOrder } from './recipients';

const message = (to: string) => ({ to }) as Listed;
const refused = (place: number) => ({ place, to: `+${place}`, status: 'INVALID_NUMBER', detail: 'Digits only.' });

describe('recipients in order', () => {
  it('has refused ones at their places', () => {
    const rows = inOrder([message('1'), message('2')], [refused(0), refused(2), refused(4)]);
    expect(rows.map(({ place, to, status }) => [place, to, status])).toEqual([
      [0, '+0', 'INVALID_NUMBER'],
      [1, '1', 'SUCCESS'],
      [2, '+2', 'INVALID_NUMBER'],
      [3, '2', 'SUCCESS'],
      [4, '+4', 'INVALID_NUMBER'],
    ]);
  });

  it('is the messages alone when nothing was refused', () => {
    expect(inOrder([message('1')], []).map(({ message: one }) => one?.to)).toEqual(['1']);
  });
});
