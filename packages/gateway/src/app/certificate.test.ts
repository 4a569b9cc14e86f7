/** The gateway's own certificate: read at start, renewed while it runs, and never replaced by an invalid one. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { otherCertificate, otherKey, testCertificate, testKey } from '../http/tls-fixture.ts';
import { CertificateRefused, openCertificate } from './certificate.ts';

function place(cert = testCertificate, key = testKey) {
  const folder = mkdtempSync(join(tmpdir(), 'helio-cert-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const write = (newCert: string, newKey: string) => {
    writeFileSync(files.certFile, newCert);
    writeFileSync(files.keyFile, newKey, { mode: 0o600 });
  };
  write(cert, key);
  const clock = movedClock();
  const log: [string, string][] = [];
  const keep =
    (level: string) =>
    (_fields: object, message = '') =>
      void log.push([level, message]);
  const logger = {
    trace: keep('trace'),
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  };
  return { files, write, clock, log, open: () => openCertificate({ clock, logger }, files) };
}

it('is served anew once both files have changed, and reports the end of the new one', () => {
  const { open, write, clock, log, files } = place();
  const certificate = open();
  certificate.start();
  onTestFinished(certificate.stop);
  let renewed = 0;
  certificate.onRenewed(() => {
    renewed += 1;
  });
  const before = certificate.endsAt();
  clock.pass(60_000);
  expect([renewed, log]).toEqual([0, []]);
  // One new file does not match the other, old one; the next check finds both.
  writeFileSync(files.certFile, otherCertificate);
  clock.pass(10_000);
  expect([certificate.cert, renewed, log]).toEqual([testCertificate, 0, []]);
  write(otherCertificate, otherKey);
  clock.pass(10_000);
  expect([certificate.cert, certificate.key, renewed]).toEqual([otherCertificate, otherKey, 1]);
  expect(certificate.endsAt()).not.toBe(before);
  expect(log).toEqual([['info', 'the certificate was renewed and is served']]);
});

it.each([
  ['a key of another certificate', otherCertificate, testKey],
  ['garbage', 'garbage', 'garbage'],
])('stays as it is, with one line, where the files hold %s', (_what, cert, key) => {
  const { open, write, clock, log } = place();
  const certificate = open();
  certificate.start();
  onTestFinished(certificate.stop);
  write(cert, key);
  clock.pass(600_000);
  expect(certificate.cert).toBe(testCertificate);
  expect(log).toEqual([['error', 'the new certificate cannot be served; the one before stays']]);
  write(otherCertificate, otherKey);
  clock.pass(10_000);
  expect(certificate.cert).toBe(otherCertificate);
});

it.each([
  ['a key of another certificate', otherCertificate, testKey],
  ['garbage', 'garbage', 'garbage'],
])('refuses a start with %s in one sentence that names the files', (_what, cert, key) => {
  const { open, files } = place(cert, key);
  expect(open).toThrow(CertificateRefused);
  expect(open).toThrow(files.keyFile);
});

it.each([0o644, 0o604, 0o660])(
  'refuses a start with a key that everybody can open (mode %o), with the command',
  (mode) => {
    const { open, files } = place();
    chmodSync(files.keyFile, mode);
    expect(open).toThrow(CertificateRefused);
    expect(open).toThrow(`chmod 640 ${files.keyFile}`);
    chmodSync(files.keyFile, 0o640);
    expect(open().key).toBe(testKey);
  },
);
