/**
 * `fetch` to the gateway of this machine where it serves https with the certificate of the settings: that very certificate
 * is what counts, whoever signed it and whatever name it has. Nothing is sent to anybody who shows another one.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Its `code` is that of node's own errors about certificates, or this. */
export const otherCertificateCode = 'ERR_OTHER_CERTIFICATE';

export function ownFetch(certFile: string): typeof fetch {
  return async (input, init) => {
    const { url, method, headers, body, signal } = new Request(input, init);
    const sent = body === null ? null : Buffer.from(await new Response(body).arrayBuffer());
    const ca = readFileSync(certFile);
    const own = new X509Certificate(ca).fingerprint256;
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        url,
        {
          method,
          signal,
          ca,
          agent: false,
          headers: Object.fromEntries(headers),
          allowPartialTrustChain: true,
          checkServerIdentity: (_name, { fingerprint256 }) =>
            fingerprint256 === own
              ? undefined
              : Object.assign(new Error('another certificate'), { code: otherCertificateCode }),
        },
        (answer) => read(answer).then(resolve, reject),
      );
      request.once('error', reject);
      request.end(sent);
    });
  };
}

async function read(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const bytes = Buffer.concat(chunks);
  return new Response(bytes.length === 0 ? null : bytes, { status: answer.statusCode, headers });
}
