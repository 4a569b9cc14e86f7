/** Reads a peer's certificate for display. TLS verifies it. */
import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { PeerCertificate } from '../model/peer-certificate.ts';

/** Null when there is none: no TLS, or a session that was taken up again without one. */
export function certificateOn(socket: unknown): PeerCertificate | null {
  return socket instanceof TLSSocket ? shownCertificate(socket.getPeerX509Certificate()) : null;
}

/**
 * Tells what a peer shows before TLS says whether it is trusted, and null once it is: of a socket that is refused nothing
 * is left to ask.
 */
export function whenShown(socket: unknown, tell: (certificate: PeerCertificate | null) => void): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.prependOnceListener('secure', () => tell(certificateOn(socket)));
  socket.once('secureConnect', () => tell(null));
}

export function shownCertificate(certificate: X509Certificate | undefined): PeerCertificate | null {
  if (certificate === undefined) return null;
  const { subject, issuer, subjectAltName, validFromDate, validToDate, fingerprint256 } = certificate;
  return {
    subject: oneLine(subject),
    issuer: oneLine(issuer),
    names: (subjectAltName ?? '').slice(0, textMax),
    validFrom: validFromDate.getTime(),
    validTo: validToDate.getTime(),
    fingerprint256,
  };
}

const textMax = 500;

/** The most telling part comes last in certificates, and first for people. */
function oneLine(name: string): string {
  return name.split('\n').reverse().join(', ').slice(0, textMax);
}
