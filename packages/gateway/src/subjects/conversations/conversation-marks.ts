/**
 * `POST /conversations/:number/:peer`: mark as read, close, snooze, assign. Changes that affect others are audited with
 * a masked number, because an erased number must not stay in the log.
 */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { readTime } from '../../http/list-query.ts';
import { fieldFaults } from '../../http/portal/answers.ts';
import { flag, lateForm, optional, optionalOrNull, readForm } from '../../http/portal/forms.ts';
import type { PortalCall, PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import { object } from '../../http/shape.ts';
import { type Clock, dayMs } from '../../kernel/clock.ts';
import { type AccountId, isMessageId } from '../../kernel/ids.ts';
import type { Thread } from '../../messaging/store/thread-items.ts';
import type { ReadMessage } from '../../model/delivery.ts';
import { maskNumber } from '../../model/number.ts';
import { may } from '../../model/people.ts';
import type { Live } from '../live/live.ts';
import type { PeopleStore } from '../people/store/module.ts';
import type { ThreadStore } from './store/module.ts';

export interface ThreadKey {
  accountId: AccountId;
  own: string;
  peer: string;
}

interface MarkParts {
  store: Pick<ThreadStore, 'thread' | 'readRequests' | 'markThread'> & Pick<PeopleStore, 'users'>;
  live: Pick<Live, 'conversationChanged'>;
  reportRead(message: ReadMessage): void;
  clock: Pick<Clock, 'now'>;
  /** The conversation of the path; null when the company does not have this number. */
  keyOf(call: PortalCall): ThreadKey | null;
}

const noNumber = rejection('NOT_FOUND', 'Your company has no such number, or this is not a telephone number.');
const noThread = rejection('NOT_FOUND', 'This telephone has not written to that number.');
const snoozeMsMax = 366 * dayMs;

const fields = { readTo: optional, done: flag, assignedTo: optionalOrNull, snoozedUntil: optionalOrNull } as const;

export function addMark(routes: PortalRoutes, { store, live, reportRead, clock, keyOf }: MarkParts): void {
  routes.add({
    method: 'POST',
    path: '/conversations/:number/:peer',
    access: 'send',
    audit: ['conversation.changed'],
    body: lateForm(fields),
    answer: answers(object({}), 'Noted'),
    work: async (call) => {
      const key = keyOf(call);
      if (key === null) return noNumber;
      const read = readForm(call.body, fields);
      if (!read.ok) return read.answer;
      const { readTo = null, done = null, assignedTo, snoozedUntil } = read.form;
      if (readTo !== null && !isMessageId(readTo)) {
        return fieldFaults({ readTo: 'This field must be a message id.' });
      }
      const until = untilOf(snoozedUntil, clock.now());
      if (typeof until === 'string') return fieldFaults({ snoozedUntil: until });
      if (assignedTo != null && !(await isColleague(store, key.accountId, assignedTo))) {
        return fieldFaults({ assignedTo: 'Your company has nobody with this id who can sign in and read texts.' });
      }
      const before = await store.thread(key);
      const mark = {
        readTo,
        done,
        assignedTo: assignedTo === undefined ? null : (assignedTo ?? ''),
        snoozedUntil: until,
      };
      if (before === null || !(await store.markThread({ ...key, ...mark }))) return noThread;
      if (readTo !== null && readTo >= before.lastMessageId && before.unread > 0) {
        for (const request of await store.readRequests({ ...key, readTo, unread: before.unread })) reportRead(request);
      }
      const after = await store.thread(key);
      if (after !== null && JSON.stringify(auditFields(before)) !== JSON.stringify(auditFields(after))) {
        await call.audit({
          what: 'conversation.changed',
          target: auditTarget(key),
          before: auditFields(before),
          after: auditFields(after),
        });
      }
      live.conversationChanged(key.accountId, key.own, key.peer);
      return success('Noted.', {});
    },
  });
}

/** The name of a conversation in the audit log. */
export function auditTarget({ own, peer }: ThreadKey): string {
  return `${own} ${maskNumber(peer)}`;
}

/** Null = no change; a sentence when the time is invalid or too far away. */
function untilOf(text: string | null | undefined, now: number): number | string | null {
  if (text === undefined) return null;
  if (text === null) return 0;
  const until = readTime(text);
  if (until === null) return 'Write a time as in 2026-11-21T09:00:00Z.';
  return until > now && until - now <= snoozeMsMax ? until : 'Give a time in the future, at most a year from now.';
}

async function isColleague(store: MarkParts['store'], accountId: AccountId, userId: string): Promise<boolean> {
  const [user] = await store.users({ userId });
  return user !== undefined && user.accountId === accountId && user.disabledAt === null && may(user, 'readBody');
}

function auditFields({ done, assignedTo, snoozedUntil }: Thread): Record<string, unknown> {
  return {
    done,
    assignedTo: assignedTo === '' ? null : assignedTo,
    snoozedUntil: snoozedUntil === 0 ? null : isoTime(snoozedUntil),
  };
}
