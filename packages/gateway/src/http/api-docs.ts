/** `/openapi.json`, and the reference made from it at `/docs/api`, in the frame of the documentation where that is built. */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takesGzip } from './accept-encoding.ts';
import { type Answer, respond } from './exchange.ts';
import { type ReferenceParts, referenceParts } from './reference/page.ts';

/** Puts the reference into the frame of the documentation; `parts` makes it, once. Null when that is not built. */
export type ReferenceFrame = (request: FastifyRequest, parts: () => ReferenceParts) => Answer | null;

export function apiDocsRoutes(
  app: FastifyInstance,
  parts: { document: () => object; frame: ReferenceFrame | undefined },
): void {
  let document: { plain: Buffer; gzip: Buffer } | null = null;
  let reference: ReferenceParts | null = null;
  const made = (): ReferenceParts => {
    reference ??= referenceParts(parts.document());
    return reference;
  };

  app.get('/openapi.json', (request, reply) => {
    document ??= packed(JSON.stringify(parts.document()));
    const vary = ['Vary', 'Accept-Encoding'];
    const answer = takesGzip(request.raw.headers)
      ? { body: document.gzip, headers: [...vary, 'Content-Encoding', 'gzip'] }
      : { body: document.plain, headers: vary };
    respond(reply, { status: 200, reason: 'SUCCESS', ...answer });
  });
  app.get('/docs/api', (request, reply) => respond(reply, parts.frame?.(request, made) ?? plainPage(made())));
}

/** Without the built documentation: the same text, without style and script. */
function plainPage({ contents, main }: ReferenceParts): Answer {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return {
    status: 200,
    reason: 'SUCCESS',
    headers: ['Content-Security-Policy', policy],
    contentType: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Heliograph API</title>
<nav>${contents}</nav><main>${main}</main></html>
`,
  };
}

function packed(text: string) {
  const plain = Buffer.from(text);
  return { plain, gzip: gzipSync(plain) };
}
