import { describe, expect, it } from 'vitest';
import type { InboundMms } from '../domain/delivery.ts';
import { mediaKeptMs } from '../domain/media-url.ts';
import { StoreUnavailable } from '../store/store.ts';
import { consentStore, consentWorld, contact, own } from './consent-fixture.ts';
import { medium } from './media-fixture.ts';
import { inboundMediaMax, inboundTextMax } from './receive-mms.ts';

function mms(more: Partial<InboundMms> = {}): InboundMms {
  return {
    carrier: 'm',
    peerMessageId: 'peer-1',
    from: contact,
    to: [own],
    subject: '',
    text: 'Look',
    media: [photo('cat')],
    receivedAt: 1_000,
    ...more,
  };
}

const photo = (name: string) => ({ contentType: 'image/jpeg', fileName: `${name}.JPG`, bytes: Buffer.from(name) });

describe('a reply with media', () => {
  it('is stored for the number’s account with signed links to what it brought', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ media: [photo('cat'), photo('dog')] }));
    const [item] = w.store.mms;
    expect(w.store.mms).toHaveLength(1);
    expect(item).toMatchObject({ carrier: 'm', peerMessageId: 'peer-1', accountId: 'acc1', from: contact, to: own });
    expect(item).toMatchObject({ text: 'Look', receivedAt: 1_000, consent: null });
    expect(item!.links).toMatchObject([
      { accountId: 'acc1', medium: medium('cat', { sizeBytes: 3 }), fileName: 'cat.jpg', createdAt: 1_000 },
      { medium: medium('dog', { sizeBytes: 3 }), fileName: 'dog.jpg', expiresAt: 1_000 + mediaKeptMs },
    ]);
    expect(item!.mediaUrls).toHaveLength(2);
    for (const [index, url] of item!.mediaUrls.entries()) {
      expect(url).toMatch(/^https:\/\/sms\.acme\.example\/media\/med_\w{26}\/(cat|dog)\.jpg\?/);
      const { mediaId } = item!.links[index]!;
      expect(w.mediaUrls.read(url)).toEqual({ mediaId, expiresAt: Math.floor((1_000 + mediaKeptMs) / 1_000) * 1_000 });
    }
  });

  it('goes to each of our numbers among its recipients, once, its media taken once', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ to: ['19995550100', '12025550190', own, own] }));
    expect(w.store.mms.map(({ to, accountId }) => [to, accountId])).toEqual([
      ['12025550190', 'acc2'],
      [own, 'acc1'],
    ]);
    expect(w.media.taken).toHaveLength(1);
    const [other, mine] = w.store.mms;
    expect(other!.links[0]).toMatchObject({ accountId: 'acc2', medium: mine!.links[0]!.medium });
    expect(other!.links[0]!.mediaId).not.toBe(mine!.links[0]!.mediaId);
    expect(new Set([other!.messageId, other!.requestId, mine!.messageId, mine!.requestId]).size).toBe(4);
  });

  it('is kept for nobody when no recipient is ours', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ to: ['19995550100', '19995550101'], text: 'STOP' }));
    await w.receiver.inboundMms(mms({ to: [] }));
    expect(w.store.mms.map(({ to, accountId, consent }) => [to, accountId, consent])).toEqual([
      ['19995550100', '', null],
      ['', '', null],
    ]);
  });

  it('is kept without the media that may not be kept', async () => {
    const w = consentWorld();
    w.media.script.take = (bytes) =>
      bytes.toString() === 'bad' ? { kind: 'refused', code: 'MEDIA_TYPE_NOT_SUPPORTED' } : null;
    await w.receiver.inboundMms(mms({ media: [photo('bad'), photo('cat'), photo('bad')] }));
    expect(w.store.mms[0]!.links.map(({ fileName }) => fileName)).toEqual(['cat.jpg']);
    w.media.script.take = () => ({ kind: 'refused', code: 'MEDIA_TOO_LARGE' });
    await w.receiver.inboundMms(mms({ media: [photo('cat')], text: '' }));
    expect(w.store.mms[1]).toMatchObject({ links: [], mediaUrls: [], text: '' });
  });

  it('is kept with so many media and no more', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ media: Array.from({ length: 40 }, (_, n) => photo(`${n}`)) }));
    expect(w.store.mms[0]!.links).toHaveLength(inboundMediaMax);
    expect(w.media.taken).toHaveLength(inboundMediaMax);
  });

  it.each([
    ['the disk of the media is full', { kind: 'later', why: 'disk-full' }, { reason: 'full' }],
    ['the media are busy', { kind: 'later', why: 'busy' }, { reason: 'busy' }],
    ['the disk is broken', new Error('EIO'), { message: 'EIO' }],
  ] as const)('is not taken from the carrier when %s', async (_, said, error) => {
    const w = consentWorld();
    w.media.script.take = () => said;
    await expect(w.receiver.inboundMms(mms())).rejects.toMatchObject(error);
    expect(w.store.mms).toEqual([]);
  });

  it('is not taken from the carrier when it cannot be stored, and may come again', async () => {
    const store = consentStore();
    const w = consentWorld(store);
    store.fails.inbound = new StoreUnavailable('full', 'disk full');
    await expect(w.receiver.inboundMms(mms({ text: 'STOP' }))).rejects.toBe(store.fails.inbound);
    // Whoever says STOP gets nothing, even so.
    expect(w.isOut()).toBe(true);
    store.fails.inbound = null;
    await w.receiver.inboundMms(mms({ text: 'STOP' }));
    expect(store.mms).toHaveLength(1);
  });

  it.each([
    ['Line one\r\nline two\rthree\n', '', 'Line one\nline two\nthree'],
    [' \r\n ', 'A subject ', 'A subject'],
    ['A text', 'A subject', 'A text'],
    ['half \ud83d', '', 'half \ufffd'],
    ['', '', ''],
  ])('has the text %j under %j as %j', async (text, subject, kept) => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ text, subject }));
    expect(w.store.mms[0]!.text).toBe(kept);
  });

  it('has a text of bounded length', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ text: `${'x'.repeat(inboundTextMax - 1)}😀${'y'.repeat(1_000_000)}` }));
    expect(w.store.mms[0]!.text).toBe(`${'x'.repeat(inboundTextMax - 1)}\ufffd`);
  });
});

describe('a keyword with media', () => {
  it('opts out and is confirmed, like one without', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ text: ' Stop! ' }));
    expect(w.store.mms[0]!.consent).toMatchObject({ keyword: 'out', scope: 'campaign:C1' });
    expect(w.isOut()).toBe(true);
    expect(w.nudged).toEqual(['a']);
    await w.receiver.inboundMms(mms({ text: 'START', media: [] }));
    expect(w.isOut()).toBe(false);
  });

  it('is none in a longer text or from a mail address', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ text: 'please stop' }));
    await w.receiver.inboundMms(mms({ text: 'STOP', from: 'ann@example.com' }));
    expect(w.store.mms.map(({ consent }) => consent)).toEqual([null, null]);
    expect(w.store.rows.size).toBe(0);
  });
});
