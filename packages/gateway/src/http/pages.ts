/** Two small static pages for people who open the API in a browser. */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Answer } from './exchange.ts';

export interface Pages {
  /** `GET /` */
  home(request: FastifyRequest): Answer;
  /** `GET /SendSMS`: explains how to send. */
  howToSend(): Answer;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1c2430;background:#fff}
pre{background:#f3f5f8;padding:1rem;overflow:auto;border-radius:6px}a{color:#0b57d0}
@media(prefers-color-scheme:dark){body{color:#e6e9ef;background:#14181f}pre{background:#1f2630}a{color:#8ab4f8}}`;
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** True for a client that prefers a page to JSON: browsers name text/html, API clients do not. */
export function wantsHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false;
}

/** `baseUrl` is called for each page: the port may be known only after listening. */
export function createPages(parts: { version: string; baseUrl: () => string }): Pages {
  return {
    home: () =>
      page(
        200,
        'SUCCESS',
        'Heliograph',
        `<p>This is a Heliograph messaging gateway, version ${escaped(parts.version)}.</p>
<ul><li><a href="/docs/api">Try the API</a></li><li><a href="/openapi.json">OpenAPI document</a></li><li><a href="/reasons">Reason codes</a></li><li><a href="/limits">Limits</a></li></ul>
${sendExample(parts.baseUrl())}`,
      ),
    howToSend: () =>
      page(
        405,
        'METHOD_NOT_ALLOWED',
        'Sending a message',
        `<p>A browser asks with GET; a message is sent with POST.</p>${sendExample(parts.baseUrl())}`,
      ),
  };
}

function sendExample(baseUrl: string): string {
  const command = `curl -s '${baseUrl}/SendSMS?apikey=YOUR_AUTH_TOKEN' \\
  -H 'Authorization: Bearer YOUR_BEARER_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"from":"12025550199","to":["12025550100"],"text":"Hello from my gateway"}'`;
  return `<p>Send a text:</p><pre>${escaped(command)}</pre>`;
}

function page(status: number, reason: string, title: string, body: string): Answer {
  return {
    status,
    reason,
    contentType: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style><h1>${escaped(title)}</h1>${body}</html>\n`,
    headers: ['Content-Security-Policy', policy],
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
