/**
 * M-08, SEC-49: mails that two servers could read differently. Nothing hidden in a mail may become a second message,
 * however the network splits it.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../../test/props/clock.ts';
import { forwardReq, type Mm4Scene, mm4Bytes, mm4Scene, plainHeader } from './mm4-fixture.ts';
import { mailPieces, type SmtpTalk, stuffed } from './peer-fixture.ts';

let scene: Mm4Scene;
beforeAll(async () => {
  scene = await mm4Scene({ connections: 1 });
  scene.carrier.start(scene.sink);
  await until(() => scene.carrier.status().listening != null);
});
afterAll(() => scene.close());

const ids = (): string[] => scene.sink.mms.map(({ peerMessageId }) => peerMessageId);

/** A whole second mail, as commands. */
const smuggled = `${mailPieces(stuffed(mm4Bytes(forwardReq('smuggled'))))
  .slice(1)
  .map(String)
  .join('')}`;

/** Sequences that a careless server takes for the end of a mail. None of them is one. */
const falseEnds = [
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\r',
  '\n.\r',
  '\r.\n',
  '\r\n.\r\r\n',
  '\r\r\n.\r\n',
  '\n\n.\n\n',
  '\n\r.\n\r',
  '\r\n.\0\r\n',
  '\r\n\0.\r\n',
  '\0\r\n.\r\n',
  '\r\n.\r\0\n',
  '\n\r\n.\r\n',
  '\n..\n',
];

/** Its position in the mail. */
const places: [string, (id: string, end: string) => string][] = [
  ['in the body', (id, end) => `${plainHeader(id)}\r\nHello${end}${smuggled}`],
  ['in the header', (id, end) => `${plainHeader(id)}X-A: b${end}${smuggled}\r\n\r\nHello`],
  ['at the end of the header', (id, end) => `${plainHeader(id)}${end}${smuggled}`],
  ['at the very beginning', (id, end) => `${end}${smuggled}${plainHeader(id)}\r\nHello`],
];

const forms = places.flatMap(([place, build]) =>
  falseEnds.map((end) => ({ name: `${JSON.stringify(end)} ${place}`, end, build })),
);

/** Ten at a time: each waits for its greeting. */
async function inTens<T, R>(all: readonly T[], run: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < all.length; i += 10) {
    results.push(...(await Promise.all(all.slice(i, i + 10).map((one, j) => run(one, i + j)))));
  }
  return results;
}

/** Sends the content in pieces of this many octets. */
async function inPieces(content: Buffer, octets: number): Promise<SmtpTalk> {
  const pieces = mailPieces('').slice(0, -1);
  const socket = connect(scene.carrier.status().listening!.port, '127.0.0.1');
  const talk: SmtpTalk = { codes: [], text: '', closed: false };
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('close', () => (talk.closed = true));
  socket.on('data', (chunk: Buffer) => {
    talk.text += chunk.toString('latin1');
    talk.codes = [...talk.text.matchAll(/^(\d{3}) /gm)].map(([, code]) => Number(code));
  });
  await until(() => talk.codes.length === 1);
  for (const piece of pieces) {
    const before = talk.codes.length;
    socket.write(piece);
    await until(() => talk.codes.length > before);
  }
  const before = talk.codes.length;
  for (let at = 0; at < content.length && !talk.closed; at += octets) {
    socket.write(content.subarray(at, at + octets));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => talk.codes.length > before || talk.closed);
  socket.end();
  await until(() => talk.closed);
  return talk;
}

describe('an end of a mail that is none', () => {
  it(`in ${forms.length} forms: refused, the connection closed, no message at all`, async () => {
    expect(forms.length).toBeGreaterThanOrEqual(60);
    const talks = await inTens(forms, ({ build, end }, i) =>
      scene.talk(mailPieces(Buffer.from(`${build(`form-${i}`, end)}\r\n.\r\n`, 'latin1'))),
    );
    const wrong = talks.flatMap(({ codes, closed }, i) =>
      codes.slice(0, 6).join() === '220,250,250,250,354,554' && closed ? [] : [`${forms[i]!.name}: ${codes}`],
    );
    expect(wrong).toEqual([]);
    expect(ids()).toEqual([]);
  });

  it.each([1, 2, 3, 5, 64])('the same in pieces of %s octets', async (octets) => {
    const some = forms.filter((_, i) => i % 4 === octets % 4);
    const talks = await inTens(some, ({ build, end }, i) =>
      inPieces(Buffer.from(`${build(`piece-${i}`, end)}\r\n.\r\n`, 'latin1'), octets),
    );
    expect(talks.every(({ codes }) => codes[5] === 554)).toBe(true);
    expect(ids()).toEqual([]);
  });

  it('is distinguished from a sound mail in the same pieces', async () => {
    for (const octets of [1, 3]) {
      const { codes } = await inPieces(stuffed(mm4Bytes(forwardReq(`sound-${octets}`))), octets);
      expect(codes.at(-1)).toBe(250);
    }
    expect(ids().splice(0)).toEqual(['sound-1', 'sound-3']);
    scene.sink.mms.length = 0;
  });
});

describe('a mail', () => {
  const bad: [string, string][] = [
    ['8-bit in the subject', `Subject: caf\xc3\xa9\r\n`],
    ['8-bit in a field name', `X-\xe9: a\r\n`],
    ['8-bit in From', 'Sender: "J\xf6rg" <a@b.example>\r\n'],
    ['NUL in the header', 'X-A: b\0c\r\n'],
    ['two Subjects', 'Subject: a\r\nSubject: b\r\n'],
    ['two From', 'From: +12025550177/TYPE=PLMN\r\n'],
    ['two message ids', 'X-Mms-Message-ID: "other"\r\n'],
    ['two content types', 'Content-Type: text/html\r\n'],
    ['a blank before the colon', 'X-A : b\r\n'],
    ['no colon', 'nonsense\r\n'],
    ['a CRLF in encoded words', 'Subject: =?UTF-8?B?DQpCY2M6IHhAeS5leGFtcGxl?=\r\n'],
    ['a line of 999 octets', `X-A: ${'b'.repeat(994)}\r\n`],
    ['a header of 33 kB', `${'X-A: b\r\n '.padEnd(900, 'c')}\r\n`.repeat(37)],
    ['101 fields', Array.from({ length: 101 }, (_, i) => `X-${i}: a\r\n`).join('')],
  ];

  it.each(bad)('with %s is refused', async (_, fields) => {
    const content = Buffer.from(`${plainHeader('bad', fields)}\r\nHello\r\n.\r\n`, 'latin1');
    const { codes } = await scene.talk(mailPieces(content));
    expect(codes.at(-1)).toBe(554);
    expect(ids()).toEqual([]);
  });

  it('with one line of 10 MB is refused', async () => {
    const content = Buffer.from(`${plainHeader('long')}\r\n${'a'.repeat(10_000_000)}\r\n.\r\n`);
    const { codes } = await scene.talk(mailPieces(content));
    expect(codes.at(-1)).toBe(554);
    expect(ids()).toEqual([]);
  });

  it.each([
    ['no MM4 at all', 'Subject: hi\r\n\r\nHello'],
    ['nothing', ''],
    ['an unknown type', plainHeader('x').replace('MM4_forward.REQ', 'MM4_steal.REQ')],
    ['too many recipients', plainHeader('x').replace(/To: .*\r\n/, `To: ${'72345,'.repeat(101)}\r\n`)],
    ['only half a header', 'From: +12025550100/TYPE=PLMN'],
  ])('that is %s is refused, and the session goes on', async (_, content) => {
    const { codes } = await scene.talk([
      ...mailPieces(`${content}\r\n\r\n.\r\n`),
      ...mailPieces(stuffed(mm4Bytes(forwardReq('next')))).slice(1),
    ]);
    expect(codes.slice(5)).toEqual([554, 250, 250, 354, 250]);
    expect(ids()).toEqual(['next']);
    scene.sink.mms.length = 0;
  });

  it.each(['To: undisclosed-recipients:;\r\n', 'To: 10.0.0.1/TYPE=IPv4, you\r\n', ''])(
    'with %j for a recipient is taken for that of the envelope',
    async (line) => {
      const bytes = `${plainHeader('hidden').replace(/To: .*\r\n/, line)}\r\nSTOP\r\n.\r\n`;
      expect((await scene.talk(mailPieces(bytes))).codes.at(-1)).toBe(250);
      expect(scene.sink.mms).toMatchObject([{ to: ['12025550199'], text: 'STOP\n' }]);
      // Nobody is named at all.
      expect((await scene.talk(mailPieces(bytes, { to: ['mms-system@ours.example'] }))).codes.at(-1)).toBe(554);
      expect(ids()).toEqual(['hidden']);
      scene.sink.mms.length = 0;
    },
  );

  it('with stuffed dots and 8-bit text is taken as it was meant', async () => {
    const text = '.\r\n..\r\n.hidden\r\nGrüße\r\n';
    const bytes = Buffer.from(`${plainHeader('dots')}\r\n${text}`, 'utf8');
    expect((await scene.talk(mailPieces(stuffed(bytes)))).codes.at(-1)).toBe(250);
    expect(scene.sink.mms[0]!.text).toBe(text.replaceAll('\r\n', '\n'));
    scene.sink.mms.length = 0;
  });

  it('that another pipelines after a refused one on the same connection is not taken', async () => {
    const broken = `${plainHeader('first')}\r\nbare\nLF\r\n.\r\n${smuggled}`;
    const { codes, closed } = await scene.talk(mailPieces(broken));
    expect(codes[5]).toBe(554);
    expect(codes.slice(6).every((code) => code >= 400)).toBe(true);
    expect(closed).toBe(true);
    expect(ids()).toEqual([]);
  });
});
