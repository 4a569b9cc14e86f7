/** What may stay in memory while it is done, and what not: by the kinds of work the store knows. */
import type { EventType } from '../../domain/event-type.ts';
import type { LookUpKind, WriteKind } from '../engine.ts';

/** What goes to the journal, unless more hangs on it than memory can tell. */
export const journaledKinds: ReadonlySet<WriteKind> = new Set(['accept', 'settle', 'claim']);

/** What is about no message in its first try. */
export const blindKinds: ReadonlySet<WriteKind> = new Set([
  'putSetting',
  'changePeople',
  'fanOut',
  'recordAttempts',
  'addUsage',
  'addRequests',
  'forgetRequests',
  'maskRequests',
]);

/** After which nothing may be left of what customers sent. */
export const erasingKinds: ReadonlySet<WriteKind> = new Set(['forgetMessages', 'forgetEvents', 'erase']);

/** Look-ups that tell nothing of messages in their first try. */
const blindLookUps: ReadonlySet<LookUpKind> = new Set([
  'queuedLanes',
  'nextDueAt',
  'takenAfter',
  'countedTo',
  'usage',
  'usageTotal',
  'usageLines',
  'answerFor',
  'records',
  'recordsVersion',
  'routeVersions',
  'getSetting',
  'fannedOut',
  'dueWebhooks',
  'webhookQueues',
  'endpointHealth',
  'webhookDeliveries',
  'webhookDelivery',
  'optOutPage',
  'optOuts',
  'users',
  'session',
  'sessions',
  'oneTimeKey',
  'oneTimeKeys',
  'audit',
  'auditRows',
  'auditCount',
  // No MMS is among them.
  'mediaLink',
  'mediaJobs',
  'nextMediaJobAt',
  'neededMedia',
  'forgettableMedia',
  'requests',
  'request',
  'unkeptRequests',
  'forgettableRequests',
  'maskableRequests',
]);

/** No validity is shorter than twice this, and nothing is in memory for so long before the newest commit. */
const lateAfterMs = 30_000;

/** Whether a look-up may have to tell of a message that is in memory only, `sinceCommitMs` after the newest commit. */
export function asksOfNewest(lookUp: LookUpKind, question: unknown, sinceCommitMs: number): boolean {
  switch (lookUp) {
    case 'overdue':
      return sinceCommitMs >= lateAfterMs;
    case 'eventsAfter': {
      // `sent` is all that happens to a message in memory.
      const { types = null } = question as { types?: readonly EventType[] | null };
      return types === null || types.includes('message.sent');
    }
    default:
      return !blindLookUps.has(lookUp);
  }
}
