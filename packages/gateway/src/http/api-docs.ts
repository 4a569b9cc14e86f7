/**
 * Serves the OpenAPI documents and, at `/docs/api`, the reference made from them, in the frame of the documentation
 * where that is built.
 */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takesGzip } from './accept-encoding.ts';
import { type Answer, respond } from './exchange.ts';
import { type ReferenceParts, referenceParts } from './reference/page.ts';

/**
 * Puts the reference into the frame of the documentation; `parts` builds it once. Null when the documentation is not
 * built.
 */
export type ReferenceFrame = (request: FastifyRequest, parts: () => ReferenceParts) => Answer | null;

/** `documents` by path; the reference is made of all of them. */
export function apiDocsRoutes(
  app: FastifyInstance,
  parts: { documents: Readonly<Record<string, () => object>>; frame: ReferenceFrame | undefined },
): void {
  let reference: ReferenceParts | null = null;
  const made = (): ReferenceParts => {
    reference ??= referenceParts(Object.values(parts.documents).map((document) => document()));
    return reference;
  };

  for (const [path, document] of Object.entries(parts.documents)) {
    let answers: { plain: Answer; gzip: Answer } | null = null;
    app.get(path, (request, reply) => {
      answers ??= packed(JSON.stringify(document()));
      respond(reply, takesGzip(request.raw.headers) ? answers.gzip : answers.plain);
    });
  }
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

function packed(text: string): { plain: Answer; gzip: Answer } {
  const body = Buffer.from(text);
  const answer = { status: 200, reason: 'SUCCESS', body, headers: ['Vary', 'Accept-Encoding'] } as const;
  return {
    plain: answer,
    gzip: { ...answer, body: gzipSync(body), headers: [...answer.headers, 'Content-Encoding', 'gzip'] },
  };
}
