/** Sentences of the catalogue of codes. The gateway itself explains each code. */
import { isOne } from '../../language/formats';

interface ReasonText {
  title: string;
  cause: string[];
  fix: string[];
}

/** By scope and code. */
export type ReasonTexts = Readonly<Record<'request' | 'recipient' | 'outcome', Readonly<Record<string, ReasonText>>>>;

/** Translations of the gateway's English; empty in English. */
export const reasonTexts: ReasonTexts = { request: {}, recipient: {}, outcome: {} };

export const reasonLabels = {
  title: 'Reason codes',
  what: 'Every code of this gateway: for requests, for single recipients, and for the outcome of a message.',
  search: 'Search codes and meanings',
  count: (count: number) => `${count} ${isOne(count) ? 'code' : 'codes'}`,
  none: 'No code fits.',
  all: 'Show all codes',
  caption: 'Codes and what they mean',
  code: 'Code',
  meaning: 'Meaning',
  where: 'Where',
  retry: 'Again later',
  billed: 'Billed',
  http: 'HTTP status',
  scopes: {
    request: 'The request as a whole',
    recipient: 'One recipient of a request',
    outcome: 'Outcome of a message',
  } as Readonly<Record<string, string>>,
  retries: { yes: 'May work', no: 'Will not work unchanged' },
  billing: { no: 'No', yes: 'Yes', if_sent: 'When it was sent to a carrier' } as Readonly<Record<string, string>>,
  cause: 'How it comes about',
  fix: 'What to do',
  notIssued: 'Reserved: nothing answers with this yet.',
  messages: 'Messages with this code',
  unknown: 'There is no such code',
  unknownNext: 'It may be mistyped, or be a carrier’s own code.',
} as const;
