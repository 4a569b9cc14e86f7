import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptAll, goodBody, openTestServer, speak, type TestServer } from './server-fixture.ts';

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer();
});
afterAll(() => testServer.close());
beforeEach(() => {
  testServer.flow.accept = acceptAll;
  testServer.sends.length = 0;
  testServer.log.length = 0;
});

const seeds = [
  "' OR '1'='1",
  "'; DROP TABLE message; --",
  '" OR ""="',
  '1; SELECT pg_sleep(5)',
  '%',
  '_',
  '\\',
  '%27',
  '{"$gt":""}',
  '{"$where":"1"}',
  '$(id)',
  '`id`',
  '| cat /etc/passwd',
  '../../etc/passwd',
  '..\\..\\windows',
  '\r\nSet-Cookie: x=1',
  '\r\n\r\n<html>',
  '%0d%0aX: y',
  '\n{"level":50}',
  '\u0000x',
  '<script>alert(1)</script>',
  '"><img src=x onerror=1>',
  'javascript:alert(1)',
  '{{7*7}}',
  '$' + '{7*7}',
  '#{7*7}',
  '<%= 7 %>',
  '$' + '{jndi:ldap://x/a}',
  '=cmd|"/c calc"!A1',
  '@SUM(1)',
  '\u202e',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u001b[2J',
  '\u0007',
  '\u007f',
  '\ud83d\ude00',
  '\ufffd',
  'İ',
  'ß',
  'Å',
  'ｆｕｌｌ',
  '１２０２５５５０１００',
  'null',
  'undefined',
  'true',
  'NaN',
  '0',
  '-1',
  '*)(uid=*',
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>',
  '%s%n%x',
  '%d'.repeat(20),
  'A'.repeat(2_000),
  '\\u0000',
  '\\x00',
  '\t',
  ' ',
  '',
];
const fields = ['text', 'from', 'to', 'referenceId', 'mediaUrls', 'unknown'] as const;
/** Each seed alone, before, after and inside ordinary words: over a thousand payloads across all fields. */
const payloads = seeds.flatMap((seed) => [seed, `Hello ${seed}`, `${seed} Hello`]);

describe('SEC-26 injection', () => {
  it('has more than a thousand payloads', () => {
    expect(payloads.length * fields.length).toBeGreaterThan(1_000);
  });

  it.each(fields)('in %s is taken as it is or refused, never a 5xx, and the log stays in lines', async (field) => {
    for (let i = 0; i < payloads.length; i += 30) {
      await Promise.all(
        payloads.slice(i, i + 30).map(async (payload) => {
          const sent = field === 'to' || field === 'mediaUrls' ? [payload] : payload;
          const answer = await speak(testServer, { body: { ...goodBody, [field]: sent } });
          expect([200, 400], payload).toContain(answer.status);
          expect(answer.headers['set-cookie']).toBeUndefined();
          if (answer.status === 200 && field === 'text') expect(answer.json.schema.text).toBe(payload);
          if (answer.status === 200 && field === 'referenceId') expect(answer.json.schema.referenceId).toBe(payload);
          if (answer.status === 200 && field === 'to') expect(answer.json.schema.resultResponses[0].to).toBe(payload);
          if (answer.status === 400) expect(answer.json.detail).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        }),
      );
    }
    for (const { fields: line } of testServer.log) expect(JSON.stringify(line)).not.toMatch(/[\n\r]/);
    for (const { request } of testServer.sends) expect(request.text.isWellFormed()).toBe(true);
  });

  it.each(fields)('as the name of a field next to %s changes nothing', async (field) => {
    const names = [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'then',
      'toJSON',
      '$ref',
      '',
    ];
    for (const name of names) {
      const answer = await speak(testServer, {
        body: `{"from":"12025550199","to":["12025550100"],"text":"x",${JSON.stringify(name)}:{"${field}":1}}`,
      });
      expect(answer.status, name).toBe(200);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
