/**
 * `/openapi.json`, and Swagger UI at `/docs/api`. Served from this machine only; the page's policy forbids other
 * hosts.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { takesGzip } from './accept-encoding.ts';
import { exchangeOf, respond } from './exchange.ts';
import type { Fail } from './failure.ts';

const require = createRequire(import.meta.url);

/** A release carries the files; in a checkout they are in their package. */
const carried = new URL('../../api-docs/', import.meta.url);
const placeOf = (name: string) =>
  existsSync(carried) ? new URL(name, carried) : require.resolve(`swagger-ui-dist/${name}`);

/** React sets style attributes, and the icons of the sheet are data URLs. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const index = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Heliograph API</title><link rel="icon" href="/docs/api/favicon-32x32.png"><link rel="stylesheet" href="/docs/api/swagger-ui.css">
<div id="swagger-ui"></div><script src="/docs/api/swagger-ui-bundle.js"></script><script src="/docs/api/start.js"></script></html>
`;

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', validatorUrl: null, deepLinking: true });
`;

/** Only what the page needs: no source maps, no other build of the same thing. */
const files = [
  { name: 'swagger-ui.css', contentType: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', contentType: 'text/javascript; charset=utf-8' },
  { name: 'favicon-32x32.png', contentType: 'image/png' },
];

export function apiDocsRoutes(app: FastifyInstance, parts: { document: () => object; fail: Fail }): void {
  const headers = ['Content-Security-Policy', policy];
  const ok = { status: 200, reason: 'SUCCESS', headers };
  let document: { plain: Buffer; gzip: Buffer } | null = null;

  app.get('/openapi.json', (request, reply) => {
    document ??= packed(JSON.stringify(parts.document()));
    const vary = ['Vary', 'Accept-Encoding'];
    const answer = takesGzip(request.raw.headers)
      ? { body: document.gzip, headers: [...vary, 'Content-Encoding', 'gzip'] }
      : { body: document.plain, headers: vary };
    respond(reply, { status: 200, reason: 'SUCCESS', ...answer });
  });
  app.get('/docs/api', (_request, reply) =>
    respond(reply, { ...ok, body: index, contentType: 'text/html; charset=utf-8' }),
  );
  app.get('/docs/api/start.js', (_request, reply) =>
    respond(reply, { ...ok, body: start, contentType: 'text/javascript; charset=utf-8' }),
  );
  for (const { name, contentType } of files) {
    const read = once(() => readFile(placeOf(name)));
    app.get(`/docs/api/${name}`, (request, reply) => {
      read().then(
        (body) => respond(reply, { ...ok, body, contentType }),
        (error: unknown) => {
          reply.hijack();
          parts.fail(exchangeOf(request.raw), error);
        },
      );
    });
  }
}

function packed(text: string) {
  const plain = Buffer.from(text);
  return { plain, gzip: gzipSync(plain) };
}

/** Read at the first request and kept. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= work();
    return result;
  };
}
