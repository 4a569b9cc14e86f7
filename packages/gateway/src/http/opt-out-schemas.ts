/** The JSON Schemas of opt-outs, as they are sent and shown. No behaviour here. */
import { entriesMax } from '../flow/opt-out-file.ts';
import { time } from './endpoint-schemas.ts';
import type { JsonSchema } from './schemas.ts';

const place = {
  scope: { type: 'string', maxLength: 120, description: '`campaign:ID` or `number:DIGITS`, as it is shown.' },
  campaign: { type: 'string', maxLength: 100, description: 'All numbers of this campaign.' },
  number: { type: 'string', maxLength: 15, description: 'This sending number, or its campaign when it has one.' },
};

/** Where it applies is said by exactly one of scope, campaign and number. */
export const optOutEntrySchema = {
  type: 'object',
  required: ['contact', 'reason'],
  properties: {
    contact: { type: 'string', maxLength: 20, description: 'Digits with country code.', examples: ['12025550100'] },
    ...place,
    reason: { type: 'string', maxLength: 400, description: '3 to 200 characters: why, as a record for later.' },
  },
  additionalProperties: false,
} as const;

export const optOutImportSchema = {
  type: 'object',
  required: ['entries'],
  properties: { entries: { type: 'array', minItems: 1, maxItems: entriesMax, items: optOutEntrySchema } },
  additionalProperties: false,
} as const;

export const optOutSchema: JsonSchema = {
  type: 'object',
  properties: {
    contact: { type: 'string' },
    scope: place.scope,
    at: time,
    how: { type: 'string', enum: ['keyword', 'api', 'import', 'by hand', 'carrier'] },
    reason: { type: 'string' },
    evidenceMessageId: { type: ['string', 'null'], description: 'The message that proves it.' },
  },
};

export const changedOptOutSchema: JsonSchema = {
  type: 'object',
  properties: {
    contact: { type: 'string' },
    scope: place.scope,
    changed: { type: 'boolean', description: 'False when it was so already.' },
  },
};

export const importedSchema: JsonSchema = {
  type: 'object',
  properties: {
    added: { type: 'integer' },
    unchanged: { type: 'integer', description: 'Opted out already, or named twice.' },
    refused: { type: 'integer' },
    problems: {
      type: 'array',
      description: 'The first 100 that were refused.',
      items: {
        type: 'object',
        properties: {
          entry: { type: 'integer', description: 'From 1; of a table without its first line.' },
          contact: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
};
