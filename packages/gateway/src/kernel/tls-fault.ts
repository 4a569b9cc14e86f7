/** Tells errors about certificates and TLS from others, by their code. */

/** The peer speaks TLS but presents a certificate that is not accepted here (error names of OpenSSL and Node). */
export function isAboutCertificate(code: string | null): boolean {
  return code !== null && /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|^ERR_TLS_/.test(code);
}
