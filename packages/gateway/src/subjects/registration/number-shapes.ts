/** Shapes of sending numbers. */
import { extended, flag, list, named, object, oneOf, optional, orNull, plain, whole } from '../../http/shape.ts';

/** Whether it can send; if not, why, and where to fix that. */
const canSend = object({
  ok: flag(),
  reason: optional(plain('A code, as of a send that is refused for it.')),
  sentence: optional(plain()),
  fix: optional(object({ label: plain(), href: plain() })),
});

export const numberRow = named(
  'NumberRow',
  object({
    number: plain(),
    environment: oneOf(['sandbox', 'live']),
    smsEnabled: flag(),
    mmsEnabled: flag(),
    campaignId: orNull(plain()),
    campaignName: orNull(plain()),
    campaignStatus: orNull(plain()),
    verified: orNull(
      flag(
        'Of a toll-free number or short code: whether carriers have approved it; null for others, which need a campaign.',
      ),
    ),
    countries: orNull(list(plain(), 'Of a name as sender: where it may send; null for a number.')),
    messagesPerSecond: whole(),
    name: plain(),
    canSend,
    last24h: object({ sent: whole(), delivered: whole() }),
    version: plain('A change names it, so that it is of what was seen.'),
  }),
);

export const numberWhole = named(
  'NumberWhole',
  extended(numberRow, {
    queued: whole(),
    /** Limits of its campaign. */
    pacing: orNull(
      object({
        segmentsPerMinute: orNull(whole()),
        mmsPerMinute: orNull(whole()),
        segmentsPerDay: orNull(whole()),
      }),
    ),
    carriers: optional(list(object({ carrierId: plain(), name: plain() }), 'For operators alone.')),
  }),
);

/** The result of an import of numbers. */
export const importedNumbers = named(
  'ImportedNumbers',
  object({
    added: whole(),
    changed: whole(),
    unchanged: whole(),
    refused: whole(),
    problems: list(object({ entry: whole(), number: plain(), detail: plain() })),
  }),
);
