/** The operations of opt-outs. Data only. */
import { entriesMax } from '../flow/opt-out-file.ts';
import { guarded, inQuery, json, limitParameter, ok, rateHeaders } from './openapi-parts.ts';
import {
  changedOptOutSchema,
  importedSchema,
  optOutEntrySchema,
  optOutImportSchema,
  optOutSchema,
} from './opt-out-schemas.ts';
import { dataSchema } from './schemas.ts';

const after = inQuery('after', { type: 'string' }, '`next` of the page before.');
const csv = { 'text/csv': { schema: { type: 'string' } } };

const entryBody = {
  content: json(optOutEntrySchema, {
    oneContact: {
      summary: 'One contact',
      value: { contact: '12025550100', number: '12025550199', reason: 'Asked by e-mail on 21 November' },
    },
  }),
};
const place = 'Say where it applies by exactly one of `scope`, `campaign` and `number`.';

export const optOutSchemas = {
  OptOut: optOutSchema,
  OptOutEntry: optOutEntrySchema,
  OptOutImport: optOutImportSchema,
  ImportedOptOuts: importedSchema,
  ChangedOptOut: changedOptOutSchema,
};

export const optOutOperations: Readonly<Record<string, object>> = {
  '/api/v1/opt-outs': {
    get: guarded({
      operationId: 'listOptOuts',
      summary: 'Who wants no messages, by contact',
      description: 'At most one of `scope`, `campaign` and `number`.',
      scope: 'read',
      parameters: [
        inQuery('contact', { type: 'string' }, 'Only this contact.'),
        inQuery('scope', { type: 'string' }, 'Only there: `campaign:ID` or `number:DIGITS`.'),
        inQuery('campaign', { type: 'string' }, 'Only of this campaign.'),
        inQuery('number', { type: 'string' }, 'Only what stops texts from this sending number.'),
        after,
        limitParameter,
      ],
      answer: ok('A page', dataSchema(optOutSchema, 'after'), { headers: rateHeaders }),
    }),
    post: guarded({
      operationId: 'addOptOut',
      summary: 'Stop sending to a contact',
      description: place,
      scope: 'send',
      body: entryBody,
      answer: ok('What changed', dataSchema(changedOptOutSchema), { headers: rateHeaders }),
    }),
  },
  '/api/v1/opt-outs/remove': {
    post: guarded({
      operationId: 'removeOptOut',
      summary: 'Allow sending to a contact again',
      description: `Only for a contact that asked for it: the reason is kept as the proof. ${place}`,
      scope: 'admin',
      body: entryBody,
      answer: ok('What changed', dataSchema(changedOptOutSchema), { headers: rateHeaders }),
    }),
  },
  '/api/v1/opt-outs/import': {
    post: guarded({
      operationId: 'importOptOuts',
      summary: 'Stop sending to many contacts',
      description: `JSON, or a table whose first line names its columns: contact, reason, and scope, campaign or number. At most ${entriesMax} entries and one body (\`bodyBytesMax\` of \`GET /limits\`).`,
      scope: 'send',
      body: { content: { ...json(optOutImportSchema), ...csv } },
      answer: ok('What became of them', dataSchema(importedSchema), { headers: rateHeaders }),
    }),
  },
  '/api/v1/opt-outs/export': {
    get: guarded({
      operationId: 'exportOptOuts',
      summary: 'All opt-outs as a table',
      description:
        'A long list comes in several files: the header `X-Next`, where there is one, is `after` of the next.',
      scope: 'read',
      parameters: [after],
      answer: {
        description: 'contact, scope, how, at, reason, evidenceMessageId; lines end in CRLF (RFC 4180)',
        headers: { ...rateHeaders, 'X-Next': { schema: { type: 'string' } } },
        content: csv,
      },
    }),
  },
};
