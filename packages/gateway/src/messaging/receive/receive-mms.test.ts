import { describe, expect, it } from 'vitest';
import type { InboundMms } from '../../model/delivery.ts';
import { mediaKeptMs } from '../../model/media-url.ts';
import { contact, own } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { consentStore, consentWorld } from '../consent/consent-fixture.ts';
import { medium } from '../media/media-fixture.ts';
import { inboundTextMax } from './receive-mms.ts';

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
  it('stores the id under which its sender requests a read report', async () => {
    const w = consentWorld();
    await w.receiver.inboundMms(mms({ asksReadReport: true }));
    await w.receiver.inboundMms(mms({ asksReadReport: true, peerMessageId: '' }));
    expect(w.store.mms.map((item) => item.extras?.readReport)).toEqual(['peer-1', undefined]);
  });

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

  it('keeps its subject and who else is in the conversation', async () => {
    const w = consentWorld();
    const others = ['14155550101', 'ann@example.com'];
    await w.receiver.inboundMms(
      mms({ subject: ' Dinner\r\n at  8? ', participants: [contact, own, ...others, others[0]!] }),
    );
    await w.receiver.inboundMms(mms({ subject: ' ', participants: [own] }));
    expect(w.store.mms.map(({ text }) => text)).toEqual(['Look', 'Look']);
    expect(w.store.mms[0]!.extras).toMatchObject({ subject: 'Dinner at 8?', participants: others });
    for (const field of ['subject', 'participants']) expect(w.store.mms[1]!.extras).not.toHaveProperty(field);
    await w.receiver.inboundMms(mms({ subject: 'x'.repeat(5_000), media: [] }));
    expect(w.store.mms[2]!.extras!.subject).toHaveLength(1_000);
  });

  it('keeps every part as it came, of whatever type and however many', async () => {
    const w = consentWorld();
    const media = [
      { contentType: 'audio/amr-wb', fileName: 'voice.awb', bytes: Buffer.from('a') },
      { contentType: 'application/pdf', fileName: 'C:\\docs\\Rechnung März.pdf', bytes: Buffer.from('b') },
      { contentType: 'text/html', fileName: '', bytes: Buffer.from('c') },
      photo('cat'),
      ...Array.from({ length: 40 }, (_, n) => photo(`${n}`)),
    ];
    await w.receiver.inboundMms(mms({ media }));
    const [item] = w.store.mms;
    expect(item!.links).toHaveLength(media.length);
    expect(w.media.taken).toHaveLength(media.length);
    expect(item!.links.slice(0, 4)).toMatchObject([
      { fileName: 'voice.awb', downloadOnly: true, medium: { type: 'audio/amr-wb' } },
      { fileName: 'c-docs-rechnung-m-rz.pdf', downloadOnly: true },
      { fileName: 'medium.html', downloadOnly: true },
      { fileName: 'cat.jpg', downloadOnly: false },
    ]);
    expect(item!.extras!.media!.slice(0, 4)).toEqual([
      { type: 'audio/amr-wb', size: 1, name: 'voice.awb' },
      { type: 'application/pdf', size: 1, name: 'Rechnung März.pdf' },
      { type: 'text/html', size: 1, name: 'medium.html' },
      { type: 'image/jpeg', size: 3, name: 'cat.JPG' },
    ]);
    expect(item!.mediaUrls).toHaveLength(media.length);
  });

  it.each([
    ['the disk of the media is full', { kind: 'later', why: 'disk-full' }, { reason: 'full' }],
    ['the media are busy', { kind: 'later', why: 'busy' }, { reason: 'busy' }],
    ['the disk is broken', new Error('EIO'), { message: 'EIO' }],
  ] as const)('is not taken from the carrier when %s', async (_, result, error) => {
    const w = consentWorld();
    w.media.script.keep = () => result;
    await expect(w.receiver.inboundMms(mms())).rejects.toMatchObject(error);
    expect(w.store.mms).toEqual([]);
  });

  it('is not taken from the carrier when it cannot be stored, and may come again', async () => {
    const store = consentStore();
    const w = consentWorld(store);
    store.fails.inbound = new StoreUnavailable('full', 'disk full');
    await expect(w.receiver.inboundMms(mms({ text: 'STOP' }))).rejects.toBe(store.fails.inbound);
    // A sender of STOP gets no more messages, even in this case.
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

  it('has a text of bounded length, and a longer one whole among its media', async () => {
    const w = consentWorld();
    const text = `${'x'.repeat(inboundTextMax - 1)}😀${'y'.repeat(1_000_000)}`;
    await w.receiver.inboundMms(mms({ text }));
    const [item] = w.store.mms;
    expect(item!.text).toBe(`${'x'.repeat(inboundTextMax - 1)}\ufffd`);
    expect(item!.extras!.media).toMatchObject([{ name: 'cat.JPG' }, { type: 'text/plain', name: 'text.txt' }]);
    expect(w.media.taken[1]!.toString('utf8')).toBe(text);
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
