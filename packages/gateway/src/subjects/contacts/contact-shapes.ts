/** The shapes of contacts, in requests and answers. Only people who may read texts get them. */
import { flag, list, named, object, oneOf, plain, time, whole, written } from '../../http/shape.ts';
import { contactLimits } from '../../model/contact.ts';
import { type ContactEntry, contactEntriesMax } from './contact-file.ts';

export const contactEntry = named(
  'ContactEntry',
  written<ContactEntry>({
    type: 'object',
    required: ['contact'],
    properties: {
      contact: {
        type: 'string',
        maxLength: 40,
        description: 'Its number: digits with country code.',
        examples: ['12025550100'],
      },
      name: {
        type: 'string',
        maxLength: 400,
        description: `At most ${contactLimits.name} characters.`,
        examples: ['Fatima'],
      },
      note: { type: 'string', maxLength: 4_000, description: `At most ${contactLimits.note} characters.` },
      tags: {
        type: 'array',
        maxItems: 100,
        items: { type: 'string', maxLength: 200 },
        description: `At most ${contactLimits.tags}, each of at most ${contactLimits.tag} characters.`,
      },
    },
    additionalProperties: false,
  }),
);

export const contactImport = named(
  'ContactImport',
  written<{ entries: ContactEntry[] }>({
    type: 'object',
    required: ['entries'],
    properties: { entries: { type: 'array', minItems: 1, maxItems: contactEntriesMax, items: contactEntry } },
    additionalProperties: false,
  }),
);

export const removeContact = written<{ contact: string }>({
  type: 'object',
  required: ['contact'],
  properties: { contact: { type: 'string', maxLength: 40, examples: ['12025550100'] } },
  additionalProperties: false,
});

export const contact = named(
  'Contact',
  object({ contact: plain(), name: plain(), note: plain(), tags: list(plain()), updatedAt: time }),
);

export const savedContact = named(
  'SavedContact',
  object({
    contact: plain(),
    result: oneOf(['added', 'changed', 'unchanged', 'removed'], 'Removed: neither name nor note nor tag was left.'),
  }),
);

export const removedContact = named(
  'RemovedContact',
  object({ contact: plain(), removed: flag('False when there was none.') }),
);

export const importedContacts = named(
  'ImportedContacts',
  object({
    added: whole(),
    changed: whole(),
    unchanged: whole(),
    refused: whole(),
    problems: list(
      object({ entry: whole('From 1; of a table without its first line.'), contact: plain(), detail: plain() }),
      'The first 100 that were refused.',
    ),
  }),
);
