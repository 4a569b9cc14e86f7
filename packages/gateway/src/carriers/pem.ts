/** Validates PEM texts (RFC 7468) without quoting them. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** A company's whole bundle of authorities is a few certificates of 2 kB. */
const pemCharactersMax = 64 * 1024;
const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Null when the text holds readable certificates; else the fault, as the end of a sentence. */
export function certificatesProblem(text: string): string | null {
  const found = text.length <= pemCharactersMax ? (text.match(certificate) ?? []) : [];
  return found.length > 0 && found.every((pem) => parsed(pem) !== null) ? null : 'holds no certificate in PEM';
}

/** Null when it is an unencrypted private key that belongs to the first of `certificates` (unless these are ''). */
export function clientKeyProblem(text: string, certificates: string): string | null {
  const key = keyOf(text);
  if (key === null) return 'holds no private key in PEM, or one that needs a passphrase';
  const [first] = certificates.match(certificate) ?? [];
  return first === undefined || parsed(first)?.checkPrivateKey(key) === true
    ? null
    : 'is not the key of that certificate';
}

function parsed(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

function keyOf(text: string): KeyObject | null {
  try {
    return createPrivateKey(text);
  } catch {
    return null;
  }
}
