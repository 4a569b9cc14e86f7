/** Reads a peer's certificate for display. TLS verifies it. */
import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { PeerCertificate } from '../model/peer-certificate.ts';

/** Null without TLS, and for a resumed session that carries no certificate. */
export function certificateOn(socket: unknown): PeerCertificate | null {
  return socket instanceof TLSSocket ? shownCertificate(socket.getPeerX509Certificate()) : null;
}

/**
 * Reports the peer's certificate before TLS verifies it, and null once it is trusted: a refused socket no longer has
 * it.
 */
export function whenShown(socket: unknown, shown: (certificate: PeerCertificate | null) => void): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.prependOnceListener('secure', () => shown(certificateOn(socket)));
  socket.once('secureConnect', () => shown(null));
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

/** A certificate names the most specific part last; people read it first. */
function oneLine(name: string): string {
  return name.split('\n').reverse().join(', ').slice(0, textMax);
}
