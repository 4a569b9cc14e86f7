/** Shared by the tests of this package: handwritten and random messages, and readers for what was written. */
import fc from 'fast-check';
import { dice } from '../../../test/props/chance.ts';
import type { Mm4Message } from './mm4-types.ts';
import { type Mm4Mail, type Mm4WriteOptions, writeMm4 } from './mm4-write.ts';
import { mm7Dialect } from './mm7-dialect.ts';
import type { Mm7SubmitReq, Mm7Written } from './mm7-types.ts';
import { type Mm7Http, type Mm7WriteOptions, writeMm7 } from './mm7-write.ts';
import { emptyMessage, type MmsMessage, type MmsPart, messageClasses, priorities } from './mms-message.ts';

export const now = new Date('2026-11-21T05:37:42Z');

/** The first octets of a PNG, every octet value, and sequences that confuse line-based code. */
export const pngBytes = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.from(Array.from({ length: 256 }, (_, octet) => octet)),
  Buffer.from('\r\n.\r\n--=_\n\r\n.'),
]);

export const picture: MmsPart = { contentType: 'image/png', contentId: '1@mms', fileName: 'a.png', bytes: pngBytes };
export const text: MmsPart = {
  contentType: 'text/plain',
  contentId: '2@mms',
  fileName: 't.txt',
  bytes: Buffer.from('Grüße\r\n.\r\nfrom us'),
};

export const message: MmsMessage = {
  ...emptyMessage,
  from: '12025550100',
  to: ['14155550123'],
  subject: 'Your café order — ready',
  parts: [picture, text],
  smil: '<smil><body><par><img src="a.png"/><text src="t.txt"/></par></body></smil>',
  deliveryReport: true,
  expiry: 3600,
};

export const submitReq: Mm7SubmitReq = {
  type: 'SubmitReq',
  transactionId: 'tx-1',
  vaspId: 'heliograph',
  vasId: 'vas',
  serviceCode: 'gold & <silver>',
  linkedId: '',
  timeStamp: now,
  earliestDeliveryTime: null,
  chargedParty: 'Sender',
  distributionIndicator: false,
  message,
};

export const mm7Options: Mm7WriteOptions = { dialect: mm7Dialect('REL-6-MM7-1-4') };
export const mm4Options: Mm4WriteOptions = {
  ourDomain: 'ours.example',
  peerDomain: 'mms.provider.example',
  date: now,
  replyTo: 'mms-system@mms.provider.example',
};

export const mm7Http = (written: Mm7Written, options: Mm7WriteOptions = mm7Options): Mm7Http => {
  const http = writeMm7(written, options);
  if (http.kind === 'unwritable') throw new Error(`${http.field} ${http.detail}`);
  return http;
};

export const mm4Mail = (written: Mm4Message, options: Mm4WriteOptions = mm4Options): Mm4Mail => {
  const mail = writeMm4(written, options);
  if (mail.kind === 'unwritable') throw new Error(`${mail.field} ${mail.detail}`);
  return mail;
};

/** A SOAP document with this body, as a peer might write it. */
export const soap = (body: string, header = '<TransactionID>t</TransactionID>'): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`;

/** Lines with CRLF. */
export const mailOf = (...lines: string[]): Buffer => Buffer.from(lines.map((line) => `${line}\r\n`).join(''));

// Random values that the writers accept, whatever they contain.

const digits = fc.stringMatching(/^[1-9]\d{2,14}$/);
const words = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .map((text) => text.replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '').trim());
const moment = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000));
const textPart = words.map((plain) => ({ contentType: 'text/plain', bytes: Buffer.from(plain) }));
const mediumPart = fc.record({
  contentType: fc.constantFrom('image/jpeg', 'image/gif', 'video/mp4', 'audio/amr', 'application/pdf'),
  bytes: fc.uint8Array({ maxLength: 300 }).map((octets) => Buffer.from(octets)),
});

const partsByChance = fc
  .array(fc.oneof(textPart, mediumPart), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map((part, i) => ({ ...part, contentId: `${i}@p`, fileName: `f${i}.bin` })));

export const idByChance = fc.stringMatching(/^[A-Za-z0-9._-]{1,40}$/);
export const wordsByChance = words;
export const digitsByChance = digits;
export const momentByChance = moment;

export const messageByChance: fc.Arbitrary<MmsMessage> = fc.record({
  from: digits,
  to: fc.array(digits, { minLength: 1, maxLength: 4 }),
  cc: fc.array(digits, { maxLength: 3 }),
  subject: words,
  parts: partsByChance,
  smil: fc.constant(null),
  messageClass: fc.constantFrom(...messageClasses),
  priority: fc.constantFrom(...priorities),
  deliveryReport: fc.boolean(),
  readReply: fc.boolean(),
  expiry: fc.oneof(fc.constant(null), fc.nat(10_000_000), moment),
});

/** Whole numbers below 2^24. */
export const seeded = (seed: number): (() => number) => {
  const chance = dice(seed);
  return () => Math.floor(chance() * 2 ** 24);
};

/** The bytes with a few octets changed, removed or doubled. */
export const damaged = (bytes: Buffer, random: () => number): Buffer => {
  const copy = Buffer.from(bytes);
  for (let changes = 1 + (random() % 6); changes > 0; changes--) copy[random() % copy.length] = random() & 0xff;
  const from = random() % copy.length;
  const to = from + (random() % 40);
  switch (random() % 4) {
    case 0:
      return copy.subarray(0, from);
    case 1:
      return Buffer.concat([copy.subarray(0, from), copy.subarray(to)]);
    case 2:
      return Buffer.concat([copy.subarray(0, to), copy.subarray(from)]);
    default:
      return copy;
  }
};
