/**
 * The bodies of webhooks against their schemas, the size limit, and the page that documents them. After a change of a
 * type of event, run this file with `-u`: it writes the page's part *Events*.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes, reportedStates } from '../../model/event-type.ts';
import type { CustomerEvent, EventMessage } from '../../model/webhook-event.ts';
import { describedEvents, describedFlat } from '../../model/webhook-schema.ts';
import { delivered, message } from './notify/outbox-fixture.ts';
import { bodyBytesMax, renderWebhook } from './webhook-payload.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
const validators = new Map(describedEvents.map(({ type, schema }) => [type, ajv.compile(schema)]));
const flat = ajv.compile(describedFlat.schema);

const reply = (more: Partial<EventMessage> = {}): CustomerEvent =>
  delivered(1, {
    type: 'message.received',
    message: message(1, { direction: 'inbound', state: 'received', code: null, sequence: 1, ...more }),
  });

function valid(event: CustomerEvent): Record<string, unknown> {
  const body = JSON.parse(renderWebhook(event, 'standard'));
  const validate = validators.get(event.type)!;
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  return body;
}

describe('the schemas', () => {
  it('are there for every type, and their examples are valid', () => {
    expect(describedEvents.map(({ type }) => type)).toEqual(eventTypes);
    for (const { type, example } of describedEvents) {
      const validate = validators.get(type)!;
      expect(validate(example), `${type} ${JSON.stringify(validate.errors)}`).toBe(true);
      expect(validate({ ...example, data: {} }), type).toBe(false);
    }
    for (const example of Object.values(describedFlat.examples)) expect(flat(example)).toBe(true);
  });
});

describe('the standard format', () => {
  it('says of a message what has become of it', () => {
    expect(valid(delivered(7))).toEqual({
      type: 'message.delivered',
      timestamp: '2023-11-14T22:13:20.000Z',
      data: {
        messageId: 'msg_7',
        referenceId: 'order 7',
        from: '12025550199',
        to: '12025550100',
        state: 'delivered',
        code: 'DELIVERED',
        carrierCode: '000',
        segments: 1,
        sequence: 5,
        occurredAt: '2023-11-14T22:13:20.000Z',
        dupRisk: false,
      },
    });
  });

  it.each(reportedStates.filter((state) => state !== 'received'))('is valid for %s', (state) => {
    valid(delivered(1, { type: `message.${state}`, message: message(1, { state, code: null }) }));
  });

  it('says of a reply what it says', () => {
    expect(valid(reply({ text: 'YES', inReplyTo: 'msg_0' })).data).toEqual({
      messageId: 'msg_1',
      from: '12025550199',
      to: '12025550100',
      text: 'YES',
      mediaUrls: [],
      receivedAt: '2023-11-14T22:13:20.000Z',
      inReplyTo: 'msg_0',
      messageType: 'SMS',
      encoding: 'GSM-7',
      sequence: 1,
      dupRisk: false,
    });
  });

  it('says of a reply what it has beside its text', () => {
    const media = [{ url: 'https://m.example/1', type: 'application/pdf', size: 9, name: 'März.pdf' }];
    const extras = {
      media,
      subject: 'Re: hi',
      participants: ['12025550101', 'ann@example.com'],
      data: 'AP8B',
      dataCoding: 245,
      messageClass: 1,
      ports: { source: 0, destination: 5_505 },
    };
    const { data } = valid(reply({ mediaUrls: ['https://m.example/1'], ...extras }));
    expect(data).toMatchObject(extras);
  });

  it('hands on the data of an event about no message as it is', () => {
    const data = { endpointId: 'ep_a', url: 'https://a.example/', why: 'gone', at: '2023-11-14T22:13:20.000Z' };
    expect(valid(delivered(1, { type: 'endpoint.disabled', message: null, data })).data).toEqual(data);
  });
});

describe('the flat format', () => {
  it('distinguishes a receipt from a reply', () => {
    const receipt = JSON.parse(renderWebhook(delivered(1), 'flat'));
    const answer = JSON.parse(renderWebhook(reply({ text: 'YES' }), 'flat'));
    expect([flat(receipt), flat(answer)]).toEqual([true, true]);
    expect(receipt).toEqual({
      referenceId: 'order 1',
      from: '12025550199',
      to: ['12025550100'],
      text: 'Hi',
      mediaUrls: [],
      deliveryReceipt: true,
      status: 'delivered',
      code: 'DELIVERED',
      timestamp: '2023-11-14T22:13:20.000Z',
    });
    expect(answer).toMatchObject({ deliveryReceipt: false, status: 'received', text: 'YES', code: null });
  });

  it('is documented as a reply is sent: nobody gave it a reference', () => {
    const { from, text, timestamp: _, ...example } = describedFlat.examples.reply;
    const stored = { referenceId: '', from, to: example.to[0]!, text };
    expect(JSON.parse(renderWebhook(reply(stored), 'flat'))).toMatchObject({ ...example, from, text });
  });
});

describe('a body', () => {
  it('is cut between two graphemes, and says where the whole message is', () => {
    const family = '👨‍👩‍👧‍👦';
    const body = valid(reply({ text: family.repeat(2_000) })) as { data: Record<string, string> };
    const { text, truncated, fullMessage } = body.data;
    expect({ truncated, fullMessage }).toEqual({ truncated: true, fullMessage: '/api/v1/messages/msg_1' });
    expect(text!.length % family.length).toBe(0);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeGreaterThan(bodyBytesMax * 0.8);
  });

  it('keeps the media that fit, in their order', () => {
    const mediaUrls = Array.from({ length: 10 }, (_, i) => `https://m.example/${i}/${'x'.repeat(4_000)}`);
    const { mediaUrls: kept, truncated } = JSON.parse(
      renderWebhook(delivered(1, { message: message(1, { mediaUrls }) }), 'flat'),
    );
    expect(kept).toEqual(mediaUrls.slice(0, 2));
    expect(truncated).toBe(true);
  });

  it('names the fields that were cut, and leaves octets out rather than cutting them', () => {
    const participants = Array.from({ length: 400 }, (_, i) => `1202555${i + 1_000}`);
    const big = reply({ text: 'x'.repeat(19_000), data: 'A'.repeat(9_000), participants, subject: 's'.repeat(900) });
    const { data } = valid(big) as { data: Record<string, unknown> };
    expect(data.truncatedFields).toEqual(['text', 'subject', 'participants', 'data']);
    expect(data.data).toBeUndefined();
    const fits = valid(reply({ text: '', data: 'A'.repeat(15_000), participants })) as {
      data: Record<string, unknown>;
    };
    expect(fits.data).toMatchObject({ data: 'A'.repeat(15_000), truncatedFields: ['participants'] });
  });

  it('never passes 20 KB and is always valid, whatever the text and the media', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30_000, size: 'max' }),
      fc.constantFrom('\u0000', '"', 'é', 'e\u0301', '🇩🇪', '\u0300').map((unit) => unit.repeat(12_000)),
    );
    const urls = fc.array(fc.webUrl({ size: 'large', withQueryParameters: true }), { maxLength: 10 });
    const name = fc.string({ unit: 'binary', maxLength: 128 });
    const extras = fc.record(
      {
        subject: fc.string({ unit: 'binary', maxLength: 4_000 }),
        participants: fc.array(fc.emailAddress(), { maxLength: 300, size: 'max' }),
        data: fc.base64String({ maxLength: 48_000, size: 'max' }),
      },
      { requiredKeys: [] },
    );
    const formats = fc.constantFrom('standard' as const, 'flat' as const);
    fc.assert(
      fc.property(texts, urls, name, extras, formats, (text, mediaUrls, name, more, format) => {
        const media = mediaUrls.map((url) => ({ url, type: 'application/pdf', size: 1, name: name.toWellFormed() }));
        const body = renderWebhook(reply({ text: text.toWellFormed(), mediaUrls, media, ...more }), format);
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bodyBytesMax);
        const parsed = JSON.parse(body);
        expect((format === 'flat' ? flat : validators.get('message.received')!)(parsed)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('docs/webhooks.md', () => {
  const page = readFileSync(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const shown = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

  it('ends with the example and the schema of each type of event', async () => {
    const before = page.slice(0, page.indexOf('\n### message.received\n'));
    const sections = describedEvents.map(
      ({ type, schema, example }) => `\n### ${type}\n\n${shown(example)}\n\n${shown(schema)}\n`,
    );
    await expect(before + sections.join('')).toMatchFileSnapshot('../../../../../docs/webhooks.md');
  });

  it('shows the flat format', () => {
    for (const example of Object.values(describedFlat.examples)) expect(page).toContain(shown(example));
    expect(page).toContain(shown(describedFlat.schema));
  });
});
