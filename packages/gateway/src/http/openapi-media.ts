/** The media operations of the OpenAPI document. */
import { inPath, inQuery, ours, refused, retryHeader } from './openapi-parts.ts';

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
    ...ours,
    404: refused('Expired, altered or unknown (`NOT_FOUND`).'),
    416: refused('`Range` lies beyond the end (`INVALID_FIELD`).', { headers: contentRange }),
    503: refused('Not now (`TEMPORARILY_UNAVAILABLE`).', { headers: retryHeader }),
  },
};

export const mediaOperations: Readonly<Record<string, object>> = {
  '/media/{mediaId}/{fileName}': { get: download },
};
