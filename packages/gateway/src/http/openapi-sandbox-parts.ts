/** What all operations of the sandbox share in the document. Data only. */
import { inPath, ok, rateHeaders, refused, withCredentials } from './openapi-parts.ts';
import { dataSchema, type JsonSchema } from './schemas.ts';

export const handset = inPath('number', 'The handset.');

export const sandboxPolling = (idOf: string, what: string) => [
  { name: 'after', in: 'query', schema: { type: 'string' }, description: `The id of the last ${idOf} you have.` },
  {
    name: 'wait',
    in: 'query',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
    description: `Seconds to wait for ${what} when there is none.`,
  },
];

export const notSandbox = refused('The key pair is not a sandbox pair (`NOT_FOUND`).', { headers: rateHeaders });

export const sandboxAnswers = (description: string, schema: JsonSchema, list: false | 'before' | 'after' = false) => ({
  200: ok(description, dataSchema(schema, list), { headers: rateHeaders }),
  ...withCredentials,
  404: notSandbox,
});
