/** Tells errors about certificates and TLS from others, by their code. */

/** Somebody answers with TLS, but shows a certificate that does not count here (OpenSSL's names, and node's). */
export function isAboutCertificate(code: string | null): boolean {
  return code !== null && /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|^ERR_TLS_/.test(code);
}
