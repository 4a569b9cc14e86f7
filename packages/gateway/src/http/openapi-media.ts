/** The operations of media: uploading one and reading one. Data only. */
import { guarded, inPath, inQuery, ok, ours, rateHeaders, refused, retryHeader } from './openapi-parts.ts';
import { dataSchema, type JsonSchema } from './schemas.ts';

const file = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };

const uploadedSchema: JsonSchema = {
  type: 'object',
  properties: {
    mediaId: { type: 'string' },
    url: { type: 'string', description: 'For `mediaUrls`. Whoever has it may read the file until it expires.' },
    contentType: { type: 'string', description: 'By the content of the file.' },
    sizeBytes: { type: 'integer' },
    expiresAt: { type: 'string', format: 'date-time', description: 'UTC with milliseconds.' },
  },
};

const fileHeaders = {
  ETag: { schema: { type: 'string' } },
  'Accept-Ranges': { schema: { const: 'bytes' } },
  'Content-Disposition': { schema: { type: 'string' } },
};
const contentRange = { 'Content-Range': { schema: { type: 'string' } } };

const upload = guarded({
  operationId: 'uploadMedia',
  summary: 'Upload a picture or another medium to send',
  description:
    'The body is the file itself, at most `mediaBytesMax` of `GET /limits`; its kind counts by content alone: JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3. Put the `url` of the answer into `mediaUrls`: it holds for 30 days and only for your account.',
  scope: 'send',
  parameters: [
    inQuery(
      'fileName',
      { type: 'string', maxLength: 255 },
      'What the file is called; the end of the URL is made of it.',
    ),
  ],
  body: { content: { '*/*': file } },
  answer: ok('The file is stored', dataSchema(uploadedSchema), { headers: rateHeaders }),
});

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

export const mediaSchemas = { UploadedMedia: uploadedSchema };

export const mediaOperations: Readonly<Record<string, object>> = {
  '/api/v1/media': { post: upload },
  '/media/{mediaId}/{fileName}': { get: download },
};
