/** Commands that call the gateway of this machine where it has a certificate of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { testCertificate, testKey } from '../http/tls-fixture.ts';
import { writeFirstSteps } from '../subjects/records/first-steps.ts';
import { helio } from './helio-fixture.ts';

it('trusts the certificate of HELIO_TLS_CERT, whoever signed it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helio-own-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, testCertificate);
  writeFileSync(key, testKey, { mode: 0o600 });
  const handsets = [
    { number: '12025550100', messages: 1, lastReceivedAt: null },
    { number: '12025550101', messages: 0, lastReceivedAt: null },
  ];
  const server = createServer({ cert: testCertificate, key: testKey }, (_request, answer) =>
    answer
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ success: true, reason: 'SUCCESS', detail: '', data: handsets, next: null })),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  writeFirstSteps(folder, {
    baseUrl: `https://localhost:${(server.address() as AddressInfo).port}`,
    bearerToken: 'bt_one',
    authToken: 'at_one',
    from: '12025550199',
    handsets: handsets.map(({ number }) => number),
    smpp: { host: '127.0.0.1', port: 2775 },
  });
  const env = { HELIO_DATA: folder, HELIO_TLS_CERT: cert, HELIO_TLS_KEY: key };
  expect(await helio(['sandbox', 'handsets'], env)).toEqual({
    code: 0,
    out: '12025550100   1 message\n12025550101   0 messages\n',
    error: '',
  });
});
