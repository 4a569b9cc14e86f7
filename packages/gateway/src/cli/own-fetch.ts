/** Requests to the gateway on this machine, as its own settings describe it. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Config, localUrl } from '../app/config.ts';

/** The `code` of the error when a server shows another certificate; for other faults of certificates Node has its own. */
export const otherCertificateCode = 'ERR_OTHER_CERTIFICATE';

/** Accepts the gateway's own certificate, whoever signed it and whatever name it is for: the settings name the file. */
export function ownFetch({ tls }: Pick<Config, 'tls'>): typeof fetch {
  if (tls === null) return fetch;
  const { certFile } = tls;
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

/** For an address of the gateway that its first steps name; that of a proxy has a certificate that counts by itself. */
export function fetchOf(baseUrl: string, config: Pick<Config, 'host' | 'tls'>): typeof fetch {
  return isOfThisMachine(baseUrl, config) ? ownFetch(config) : fetch;
}

/** Whether the URL is that of a gateway here, at any port; with HELIO_PUBLIC_URL it may be that of a proxy. */
export function isOfThisMachine(url: string, config: Pick<Config, 'host' | 'tls'>): boolean {
  const { protocol, hostname } = new URL(url);
  const own = new URL(localUrl(config, 1));
  return protocol === own.protocol && hostname === own.hostname;
}
