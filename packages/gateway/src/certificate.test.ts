/** The end of a certificate, and nothing of what is none. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { certificateEndsAt } from './certificate.ts';
import { testCertificate } from './http/tls-fixture.ts';

it('is read from the file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'helio-cert-')), 'cert.pem');
  writeFileSync(file, testCertificate);
  expect(certificateEndsAt(file)).toBeGreaterThan(Date.UTC(2024, 0, 1));
  writeFileSync(file, 'garbage');
  expect(certificateEndsAt(file)).toBeNull();
  expect(certificateEndsAt('/nowhere/at/all')).toBeNull();
});
