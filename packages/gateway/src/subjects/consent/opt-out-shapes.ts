/** The shapes of opt-outs, in requests and answers. */
import { flag, list, named, object, oneOf, orNull, plain, time, whole, written } from '../../http/shape.ts';
import { entriesMax, type OptOutEntry } from '../../messaging/consent/opt-out-file.ts';

const place = {
  scope: { type: 'string', maxLength: 120, description: '`campaign:ID` or `number:DIGITS`, as it is shown.' },
  campaign: { type: 'string', maxLength: 100, description: 'All numbers of this campaign.' },
  number: { type: 'string', maxLength: 15, description: 'This sending number, or its campaign when it has one.' },
};

/** Exactly one of scope, campaign and number says where it applies. */
export const optOutEntry = named(
  'OptOutEntry',
  written<OptOutEntry>({
    type: 'object',
    required: ['contact', 'reason'],
    properties: {
      contact: { type: 'string', maxLength: 20, description: 'Digits with country code.', examples: ['12025550100'] },
      ...place,
      reason: { type: 'string', maxLength: 400, description: '3 to 200 characters: why, as a record for later.' },
    },
    additionalProperties: false,
  }),
);

export const optOutImport = named(
  'OptOutImport',
  written<{ entries: OptOutEntry[] }>({
    type: 'object',
    required: ['entries'],
    properties: { entries: { type: 'array', minItems: 1, maxItems: entriesMax, items: optOutEntry } },
    additionalProperties: false,
  }),
);

export const optOut = named(
  'OptOut',
  object({
    contact: plain(),
    scope: plain('`campaign:ID` or `number:DIGITS`.'),
    at: time,
    how: oneOf(['keyword', 'api', 'import', 'by hand', 'carrier']),
    reason: plain(),
    evidenceMessageId: orNull(plain('The message that proves it.')),
  }),
);

export const changedOptOut = named(
  'ChangedOptOut',
  object({ contact: plain(), scope: plain(), changed: flag('False when it was so already.') }),
);

const importProblem = named(
  'ImportProblem',
  object({ entry: whole('From 1; of a table without its first line.'), contact: plain(), detail: plain() }),
);

export const importedOptOuts = named(
  'ImportedOptOuts',
  object({
    added: whole(),
    unchanged: whole('Opted out already, or named twice.'),
    refused: whole(),
    problems: list(importProblem, 'The first 100 that were refused.'),
  }),
);
