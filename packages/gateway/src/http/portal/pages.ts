/**
 * Serves the portal's page at all its paths, with a fresh nonce for inline styles each time. The page contains nothing
 * from the request.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Random } from '../../kernel/clock.ts';
import { takesBrotli, takesGzip } from '../accept-encoding.ts';
import type { ReferenceFrame } from '../api-docs.ts';
import { isHttps, isTrustworthy } from '../browser.ts';
import { type Answer, exchangeOf, rejection, respond } from '../exchange.ts';
import { wantsHtml } from '../pages.ts';
import { dataHeaders, docsHeaders, pageHeaders, type Reached, scriptHeaders } from '../portal-headers.ts';
import type { ReferenceParts } from '../reference/page.ts';
import type { RouteDeps, RouteModule } from '../server.ts';
import { notFound } from '../unmatched.ts';
import { type PageFile, pageFile, readPageFiles } from './page-files.ts';
import { portalPaths } from './portal-paths.ts';

const html = 'text/html; charset=utf-8';
const forEver = 'public, max-age=31536000, immutable';
const aWhile = 'public, max-age=300';
const nonceBytes = 16;
/** Built with the other pages of the documentation; `/docs/api` fills it. */
const frameOfReference = '/docs/api.html';

export interface PortalPages {
  /** For `GET /` in a browser. */
  home(request: FastifyRequest): Answer;
  /** For `GET /docs/api`. */
  referenceFrame: ReferenceFrame;
  module: RouteModule;
}

export function createPortalPages(parts: {
  /** The folder of the built portal. */
  folder: string;
  random: Random;
  publicUrl: string | null;
  tls: boolean;
}): PortalPages {
  const built = readPageFiles(parts.folder);

  function page(request: FastifyRequest): Answer {
    const nonce = Buffer.from(parts.random.bytes(nonceBytes)).toString('base64');
    const headers = pageHeaders(nonce, reachedOf(request));
    if (built === null) return { ...notBuilt, headers };
    return { status: 200, reason: 'SUCCESS', body: withNonce(built.index, nonce), contentType: html, headers };
  }

  function reachedOf(request: FastifyRequest): Reached {
    return { https: isHttps(request, parts), trustworthy: isTrustworthy(request, parts) };
  }

  function addRoutes(app: FastifyInstance, _deps: RouteDeps): void {
    for (const path of portalPaths) {
      app.get(path, (request, reply) => respond(reply, wantsHtml(request.headers.accept) ? page(request) : notFound()));
    }
    const files = built?.files ?? new Map<string, PageFile>();
    const serve = (request: FastifyRequest): Answer => {
      const file = files.get(exchangeOf(request.raw).path);
      return file === undefined ? notFound() : fileAnswer(file, request, reachedOf(request));
    };
    app.get('/assets/*', (request, reply) => respond(reply, serve(request)));
    for (const [path, file] of files) {
      if (path.startsWith('/assets/') || path === frameOfReference) continue;
      app.get(pagePath(path), (request, reply) => respond(reply, fileAnswer(file, request, reachedOf(request))));
    }
  }

  let reference: PageFile | null = null;
  const referenceFrame: ReferenceFrame = (request, made) => {
    const frame = built?.files.get(frameOfReference);
    if (frame === undefined) return null;
    reference ??= filled(frame, made());
    return fileAnswer(reference, request, reachedOf(request));
  };

  return { home: page, referenceFrame, module: addRoutes };
}

/** Replacements are functions, so that `$` in the text has no meaning. */
function filled(frame: PageFile, { contents, main }: ReferenceParts): PageFile {
  const text = frame
    .bytes()
    .toString('utf8')
    .replaceAll('{{contents}}', () => contents)
    .replace('{{reference}}', () => main);
  return pageFile('/docs/api', Buffer.from(text), html);
}

/** The documentation's pages are served without their extension. */
function pagePath(path: string): string {
  return path.replace(/^(\/docs)\/index\.html$/, '$1').replace(/^(\/docs\/[a-z0-9/-]+)\.html$/, '$1');
}

function withNonce(index: string, nonce: string): string {
  if (index.includes('{{nonce}}')) return index.replaceAll('{{nonce}}', nonce);
  return index.replace('<head>', `<head><meta property="csp-nonce" nonce="${nonce}" content="${nonce}">`);
}

function fileAnswer(file: PageFile, request: FastifyRequest, reached: Reached): Answer {
  const { 'if-none-match': known } = request.raw.headers;
  const fixed = headersOf(file, reached);
  const headers = [...fixed, 'ETag', file.etag, 'Vary', 'Accept-Encoding'];
  const cacheControl = file.hashed ? forEver : aWhile;
  const shared = { reason: 'SUCCESS', contentType: file.contentType, cacheControl };
  if (known === file.etag) return { ...shared, status: 304, body: '', headers };
  if (file.brotli !== null && takesBrotli(request.raw.headers)) {
    return { ...shared, status: 200, body: file.brotli, headers: [...headers, 'Content-Encoding', 'br'] };
  }
  const packed = takesGzip(request.raw.headers) ? file.gzip() : null;
  if (packed === null) return { ...shared, status: 200, body: file.bytes(), headers };
  return { ...shared, status: 200, body: packed, headers: [...headers, 'Content-Encoding', 'gzip'] };
}

function headersOf({ contentType }: PageFile, reached: Reached): readonly string[] {
  if (contentType === html) return docsHeaders(reached);
  const { https } = reached;
  return contentType.startsWith('text/javascript') ? scriptHeaders(https) : dataHeaders(https);
}

const notBuilt: Answer = {
  ...rejection('TEMPORARILY_UNAVAILABLE', 'The portal is not built.'),
  contentType: html,
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Heliograph</title>
<h1>The portal is not built yet</h1>
<p>The gateway runs and takes messages; only its pages are missing. Build them once, then start again:</p>
<pre>npm run build --workspace packages/portal
npm start</pre>
<p><a href="/docs/api">Try the API</a> · <a href="/openapi.json">OpenAPI document</a> · <a href="/reasons">Reason codes</a></p>
</html>
`,
};
