/**
 * Types that must not compile. `npm run types` checks them: an `@ts-expect-error` above a line that compiles is an
 * error itself.
 */
import { describe, expectTypeOf, it } from 'vitest';
import type { AccountId, LaneId, MessageId, RequestId } from '../kernel/ids.ts';
import type { Claim, Message, MmsMessage, NewDelivery, SmsMessage, TimelineEvent } from './delivery.ts';
import { flatMessage, type MessageView, type MmsFields, type SmsFields } from './message-view.ts';
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

describe('an SMS and an MMS', () => {
  it('have only their own fields', () => {
    const fieldsOf = (message: Message, claim: Claim): unknown[] => {
      // @ts-expect-error An MMS has no segments.
      const { segments } = message;
      // @ts-expect-error An SMS has no media.
      const { media } = claim;
      return [
        segments,
        media,
        message.messageType === 'SMS' ? [message.wireText, message.encoding, message.segments] : message.mediaUrls,
        claim.messageType === 'SMS' ? [claim.segments, claim.concatReference] : claim.media,
      ];
    };
    take(fieldsOf);
    const viewed = (view: MessageView): unknown[] => {
      // @ts-expect-error Only an SMS has segments.
      const { segments } = view;
      // @ts-expect-error Only an MMS has a subject.
      const { subject } = view;
      const own = view.messageType === 'SMS' ? [view.encoding, view.dataCoding] : [view.media, view.participants];
      return [segments, subject, own, flatMessage(view).segments, flatMessage(view).subject];
    };
    take(viewed);
    // @ts-expect-error Pictures have no encoding.
    take<Partial<MmsFields>>({ encoding: 'UCS-2' });
    // @ts-expect-error Application ports are those of a text.
    take<Partial<MmsFields>>({ ports: { source: 1, destination: 2 } });
    // @ts-expect-error A text has no media, fetched or not.
    take<Partial<SmsFields>>({ media: [] });
    // @ts-expect-error A text has no media to fetch.
    take<Partial<SmsMessage>>({ mediaUrls: ['https://example.com/a.png'] });
    // @ts-expect-error Pictures are not cut into segments.
    take<Partial<MmsMessage>>({ segments: 2 });
    // @ts-expect-error Nor are they `sending` before their media are there.
    take<NewDelivery>({ messageId: 'msg_1', to: '12025550100', lane: 'a', expiresAt: 0, sending: true });
  });
});

describe('an id', () => {
  it('names one kind of thing; a plain string may be any', () => {
    const moves = ({ requestId, messageId, accountId, lane }: Ids): void => {
      take<MessageId>(messageId);
      // @ts-expect-error A request has several messages.
      take<MessageId>(requestId);
      // @ts-expect-error The company is not the message.
      take<MessageId>(accountId);
      // @ts-expect-error A message waits in a queue, and is none.
      take<LaneId>(messageId);
      take<string>(lane);
    };
    take(moves);
    take<MessageId>('msg_01KQ0000000000000000000001');
  });
});

interface Ids {
  requestId: RequestId;
  messageId: MessageId;
  accountId: AccountId;
  lane: LaneId;
}
