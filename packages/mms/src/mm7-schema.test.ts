/**
 * What we write of MM7, checked by another reader: xmllint, against schemas in `mm7-schema/`. Where xmllint is not
 * installed (Debian: libxml2-utils) the test says so and checks nothing.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mm7Dialect, mm7Schemas } from './mm7-dialect.ts';
import { mm7StatusOf } from './mm7-status.ts';
import type { Mm7Written } from './mm7-types.ts';
import { message, mm7Http, now, submitReq } from './mms-fixture.ts';
import { emptyMessage } from './mms-message.ts';

const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;
if (!hasXmllint)
  console.warn('xmllint is not installed: MM7 is NOT checked against its schema (Debian: libxml2-utils)');

const source = (name: string): string => readFileSync(new URL(`mm7-schema/${name}`, import.meta.url), 'utf8');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-mm7-'));
  writeFileSync(join(folder, 'soap-envelope.xsd'), source('soap-envelope.xsd'));
  for (const schema of mm7Schemas) {
    // One text serves all schemas of a release: they differ in their name.
    const release = schema.slice(0, 5);
    const text = source(`mm7-${release.toLowerCase()}.xsd`).replaceAll(/REL-[56]-MM7-1-\d/g, schema);
    writeFileSync(join(folder, `${schema}.xsd`), text);
    writeFileSync(join(folder, `whole-${schema}.xsd`), wholeOf(schema));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** xmllint takes one schema: it holds both namespaces. */
const wholeOf = (schema: string): string =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
    <xs:import namespace="http://schemas.xmlsoap.org/soap/envelope/" schemaLocation="soap-envelope.xsd"/>
    <xs:import namespace="${mm7Dialect(schema as 'REL-6-MM7-1-4').namespace}" schemaLocation="${schema}.xsd"/>
  </xs:schema>`;

/** What xmllint has against the documents; '' when nothing. */
const complaints = (schema: string, documents: readonly string[]): string => {
  if (!hasXmllint) return '';
  const files = documents.map((text, i) => {
    const file = join(folder, `${schema}-${i}.xml`);
    writeFileSync(file, text);
    return file;
  });
  const args = ['--noout', '--nonet', '--schema', join(folder, `whole-${schema}.xsd`), ...files];
  const { status, stderr } = spawnSync('xmllint', args, { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
};

/** The SOAP part of what goes over HTTP. */
const envelopeOf = (written: Mm7Written, schema: (typeof mm7Schemas)[number]): string =>
  /<\?xml.*<\/env:Envelope>/s.exec(mm7Http(written, { dialect: mm7Dialect(schema) }).body.toString('utf8'))![0];

const transactionId = 't';
const report = {
  transactionId,
  mmsRelayServerId: 'r',
  messageId: 'm',
  recipient: '14155550123',
  sender: '47711',
  statusText: 'x',
};
const everyOperation: Mm7Written[] = [
  submitReq,
  { ...submitReq, vaspId: '', vasId: '', timeStamp: null, message: { ...emptyMessage, to: ['14155550123'] } },
  {
    ...submitReq,
    linkedId: 'l',
    earliestDeliveryTime: 60,
    message: {
      ...message,
      cc: ['47711', 'a@b.example'],
      messageClass: 'Auto',
      priority: 'High',
      readReply: true,
      expiry: now,
    },
  },
  { type: 'SubmitRsp', transactionId, status: mm7StatusOf(1000), messageId: 'm' },
  {
    type: 'SubmitRsp',
    transactionId,
    status: { code: 1100, text: '', failedRecipients: ['14155550123'] },
    messageId: 'm',
  },
  {
    type: 'DeliverReq',
    transactionId,
    mmsRelayServerId: 'r',
    vaspId: 'v',
    vasId: 'a',
    linkedId: 'l',
    timeStamp: now,
    message,
  },
  { type: 'DeliverRsp', transactionId, status: mm7StatusOf(1000), serviceCode: 's' },
  { type: 'DeliveryReportReq', ...report, date: now, mmStatus: 'Retrieved' },
  { type: 'ReadReplyReq', ...report, timeStamp: now, readStatus: 'Read' },
  { type: 'CancelReq', transactionId, vaspId: 'v', vasId: 'a', messageId: 'm' },
  { type: 'DeliveryReportRsp', transactionId, status: mm7StatusOf(1000) },
  { type: 'ReadReplyRsp', transactionId, status: mm7StatusOf(1000) },
  { type: 'CancelRsp', transactionId, status: mm7StatusOf(2005) },
  { type: 'RSErrorRsp', transactionId, status: mm7StatusOf(4004) },
  { type: 'VASPErrorRsp', transactionId, status: mm7StatusOf(2007) },
];

describe.runIf(hasXmllint)('xmllint', () => {
  it.each(mm7Schemas)('takes every operation in %s', (schema) => {
    expect(
      complaints(
        schema,
        everyOperation.map((written) => envelopeOf(written, schema)),
      ),
    ).toBe('');
  });

  it.each([
    [
      'an element out of order',
      (xml: string) => xml.replace(/(<ServiceCode>.*?<\/ServiceCode>)(.*)(<Subject>)/s, '$2$1$3'),
    ],
    [
      'another namespace',
      (xml: string) => xml.replace('SubmitReq xmlns="http://www.3gpp', 'SubmitReq xmlns="http://other'),
    ],
    ['a time that is none', (xml: string) => xml.replace(now.toISOString().slice(0, 10), 'today')],
    ['no transaction attribute', (xml: string) => xml.replace(' env:mustUnderstand="1"', '')],
  ])('would notice %s', (_, spoil) => {
    const xml = envelopeOf(submitReq, 'REL-6-MM7-1-4');
    expect(spoil(xml)).not.toBe(xml);
    expect(complaints('REL-6-MM7-1-4', [spoil(xml)])).toContain('fails to validate');
  });
});
