/** What does not compile. `npm run types` checks it: an `@ts-expect-error` above a line that compiles is an error itself. */
import { describe, expectTypeOf, it } from 'vitest';
import type { MessageView, TimelineEvent } from './delivery.ts';
import { type OutcomeCode, readOutcomeCode } from './reason.ts';

const take = <T>(_: T): void => {};

describe('the code of a message', () => {
  it('is one of the catalogue, for outcomes', () => {
    expectTypeOf<TimelineEvent['code']>().toEqualTypeOf<OutcomeCode | null>();
    expectTypeOf<MessageView['code']>().toEqualTypeOf<OutcomeCode | null>();
    const stored: string = 'CARRIER_REJECTED';
    take<MessageView['code']>(readOutcomeCode(stored));
    // @ts-expect-error What the store has is read first.
    take<MessageView['code']>(stored);
    // @ts-expect-error There is no such code.
    take<MessageView['code']>('CARRIER_REJECTET');
    // @ts-expect-error A reason to refuse a request.
    take<MessageView['code']>('BODY_TOO_LARGE');
  });
});
