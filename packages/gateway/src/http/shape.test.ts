import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  always,
  byName,
  content,
  either,
  extended,
  flag,
  isContent,
  list,
  named,
  nameOf,
  namesWithin,
  object,
  oneOf,
  optional,
  orNull,
  plain,
  type TypeOf,
  time,
  whole,
} from './shape.ts';

const part = named('Part', object({ part: whole(), state: oneOf(['accepted', 'delivered']) }));
const message = object({
  id: plain('`msg_…`'),
  text: content(),
  note: orNull(content()),
  code: orNull(oneOf(['A', 'B'])),
  at: orNull(time),
  parts: list(part),
  last: orNull(part),
  size: optional(whole()),
  kind: either(always('SMS'), always('MMS')),
  counts: byName(whole()),
});

describe('a shape', () => {
  it('is a JSON Schema: what is not left out is required', () => {
    expect(message).toMatchObject({
      type: 'object',
      required: ['id', 'text', 'note', 'code', 'at', 'parts', 'last', 'kind', 'counts'],
      properties: {
        id: { type: 'string', description: '`msg_…`' },
        note: { type: ['string', 'null'] },
        code: { type: ['string', 'null'], enum: ['A', 'B', null] },
        at: { type: ['string', 'null'], format: 'date-time' },
        parts: { type: 'array', items: part },
        // A named shape stays whole, so that others can refer to it.
        last: { anyOf: [part, { type: 'null' }] },
        size: { type: 'integer' },
        counts: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    });
  });

  it('is a type', () => {
    type Message = TypeOf<typeof message>;
    expectTypeOf<Message['code']>().toEqualTypeOf<'A' | 'B' | null>();
    expectTypeOf<Message['parts'][number]['state']>().toEqualTypeOf<'accepted' | 'delivered'>();
    expectTypeOf<Message['size']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Message['kind']>().toEqualTypeOf<'SMS' | 'MMS'>();
    expectTypeOf<Message['counts']>().toEqualTypeOf<Record<string, number>>();
    const more = extended(message, { seen: flag() });
    expectTypeOf<TypeOf<typeof more>['seen']>().toEqualTypeOf<boolean>();
    expect(more).toMatchObject({ properties: { id: {}, seen: { type: 'boolean' } } });
    expect(more.required).toContain('seen');
    const longer = extended(part, { seen: flag() });
    expectTypeOf<TypeOf<typeof longer>>().toEqualTypeOf<{
      readonly part: number;
      readonly state: 'accepted' | 'delivered';
      readonly seen: boolean;
    }>();
    expect(longer).toEqual({ allOf: [part, object({ seen: flag() })] });
  });

  it('knows what is content, also where it may be null', () => {
    const { id, text, note, at } = message.properties as Record<string, object>;
    expect([id, text, note, at].map((one) => isContent(one!))).toEqual([false, true, true, false]);
  });

  it('finds the names within', () => {
    expect(nameOf(part)).toBe('Part');
    expect(nameOf(message)).toBeUndefined();
    expect(namesWithin({ any: [message] })).toEqual({ Part: part });
  });
});
