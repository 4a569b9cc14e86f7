/** OpenAPI operations without credentials: limits, reasons, health, documents, signed downloads. */
import type { Limits } from '../model/limits.ts';
import { inPath, inQuery, ok, open, refused, refusedOpen, retryHeader } from './openapi-parts.ts';
import { dataSchema, limitsSchema, reasonsSchema } from './schemas.ts';

export const sandboxPath = '/openapi-sandbox.json';

/** Every operation without credentials that a gateway can have, by path and method. */
export function openOperations(limits: Limits): Readonly<Record<string, object>> {
  return {
    '/limits': { get: open('getLimits', 'The limits of this gateway', limitsSchema(limits)) },
    '/reasons': { get: open('getReasons', 'Every reason, status and outcome code', reasonsSchema) },
    '/healthz': { get: open('getHealth', 'Whether the process is alive', { type: 'object' }) },
    '/readyz': { get: readyOperation },
    '/': { get: open('getStart', 'Name, version and where the documents are', { type: 'object' }) },
    '/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        summary: 'This document',
        security: [],
        responses: { 200: ok('The document', { type: 'object' }), default: refusedOpen },
      },
    },
    [sandboxPath]: {
      get: {
        operationId: 'getSandboxOpenApi',
        summary: 'The operations of the sandbox, in a document like this',
        security: [],
        responses: { 200: ok('The document', { type: 'object' }), default: refusedOpen },
      },
    },
    '/media/{mediaId}/{fileName}': { get: download },
  };
}

const readyOperation = {
  operationId: 'getReadiness',
  summary: 'Whether the gateway can take messages now',
  security: [],
  responses: {
    200: ok('Ready', dataSchema({ type: 'object' })),
    503: refused('Not ready (`TEMPORARILY_UNAVAILABLE`).', { headers: retryHeader }),
    default: refusedOpen,
  },
};

const file = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };

const fileHeaders = {
  ETag: { schema: { type: 'string' } },
  'Accept-Ranges': { schema: { const: 'bytes' } },
  'Content-Disposition': { schema: { type: 'string' } },
};

const contentRange = { 'Content-Range': { schema: { type: 'string' } } };

const download = {
  operationId: 'getMedia',
  summary: 'The bytes of a medium',
  description: 'The signed URL of an upload or of a received picture; it needs no credentials.',
  security: [],
  parameters: [
    inPath('mediaId', '`med_…`'),
    inPath('fileName', 'As in the URL.'),
    { ...inQuery('expires', { type: 'string' }, 'As in the URL.'), required: true },
    { ...inQuery('signature', { type: 'string' }, 'As in the URL.'), required: true },
    {
      name: 'Range',
      in: 'header',
      schema: { type: 'string' },
      description: 'One range of bytes (RFC 9110 §14.1.2).',
    },
  ],
  responses: {
    200: { description: 'The file', headers: fileHeaders, content: { '*/*': file } },
    206: {
      description: 'The part that `Range` asks for',
      headers: { ...fileHeaders, ...contentRange },
      content: { '*/*': file },
    },
    304: { description: 'The file named by `If-None-Match`', headers: fileHeaders, content: {} },
    404: refused('Expired, altered or unknown (`NOT_FOUND`).'),
    416: refused('`Range` lies beyond the end (`INVALID_FIELD`).', { headers: contentRange }),
    503: refused('Not now (`TEMPORARILY_UNAVAILABLE`).', { headers: retryHeader }),
    default: refusedOpen,
  },
};
