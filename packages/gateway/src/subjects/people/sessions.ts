/** Sessions: create, find by cookie, record use. An expired session, or one of a disabled user, does not exist. */
import type { EpochMs } from '../../kernel/clock.ts';
import { csrfToken, hashToken, newToken } from '../../kernel/written-forms.ts';
import { peopleTimes, type Session, sessionEnd, type User } from '../../model/people.ts';
import type { OpenSession, Origin } from '../../model/person.ts';
import type { PeopleParts } from './people-parts.ts';
import type { PeopleWrite } from './store/items.ts';

export interface Sessions {
  /** A new session and the write that stores it, to be committed with its cause. */
  create(
    user: User,
    origin: Origin,
    more?: { strong?: boolean; confirmedAt?: EpochMs },
  ): { open: OpenSession; write: PeopleWrite };
  /** The session of a cookie; null when none is valid. Records its use. */
  find(token: string): Promise<OpenSession | null>;
  /** Whether it has not ended. */
  counts(session: Session, now: EpochMs): boolean;
  /** Whether its person confirmed their identity a short while ago. */
  isRecent(session: Session): boolean;
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/;
const agentCharactersMax = 200;
const addressCharactersMax = 64;

type Parts = Pick<PeopleParts, 'clock' | 'random' | 'ids' | 'logger' | 'store'>;

export function createSessions({ clock, random, ids, logger, store }: Parts): Sessions {
  async function noteUse(session: Session, now: EpochMs): Promise<void> {
    try {
      const writes: PeopleWrite[] = [{ write: 'seen', idHash: session.idHash, at: now }];
      await store.changePeople([{ rules: [], writes, audit: [] }]);
    } catch (error) {
      // Reading must not fail while the store accepts no writes.
      logger.warn({ sessionId: session.sessionId, err: error }, 'the use of a session could not be noted');
    }
  }

  return {
    create(user, origin, { strong = false, confirmedAt = clock.now() } = {}) {
      const token = newToken(random);
      const now = clock.now();
      const session: Session = {
        idHash: hashToken(token),
        sessionId: ids.next('ses_'),
        userId: user.userId,
        createdAt: now,
        seenAt: now,
        confirmedAt: Math.min(confirmedAt, now),
        endsAt: now + peopleTimes.sessionMs,
        address: storable(origin.address, addressCharactersMax),
        agent: storable(origin.agent, agentCharactersMax),
        strong,
        viewAs: null,
      };
      return { open: { token, csrf: csrfToken(token), session, user }, write: { write: 'session', session } };
    },
    async find(token) {
      if (!tokenForm.test(token)) return null;
      const found = await store.session(hashToken(token));
      const now = clock.now();
      if (found === null || found.user.disabledAt !== null || sessionEnd(found.session, now) !== null) return null;
      if (now - found.session.seenAt >= peopleTimes.seenEveryMs) await noteUse(found.session, now);
      return { token, csrf: csrfToken(token), ...found };
    },
    counts: (session, now) => sessionEnd(session, now) === null,
    isRecent: ({ confirmedAt }) => clock.now() - confirmedAt < peopleTimes.recentMs,
  };
}

/** The browser's User-Agent in a storable form: short, without control characters. */
function storable(text: string, charactersMax: number): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, charactersMax)
    .toWellFormed();
}
