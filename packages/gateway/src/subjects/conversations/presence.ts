/**
 * Who is viewing a conversation now. Browsers report every few seconds; in memory only, for the people of this gateway.
 */
import { rejection, success } from '../../http/exchange.ts';
import { flag, form } from '../../http/portal/forms.ts';
import type { PortalCall, PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import { list, object } from '../../http/shape.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Live, Onlooker } from '../live/live.ts';
import type { ThreadKey } from './conversation-marks.ts';
import { assignee } from './conversation-shapes.ts';

/** After this long without a report, a person counts as gone; browsers report every 20 s. */
export const presenceMs = 50_000;
/** The most conversations that are tracked. */
const placesMax = 5_000;

export interface Presence {
  /** True when a person joined or left. */
  note(key: ThreadKey, who: Onlooker, isHere: boolean): boolean;
  here(key: ThreadKey): Onlooker[];
}

export function createPresence(clock: Pick<Clock, 'now'>): Presence {
  const places = new Map<string, Map<string, Onlooker & { until: number }>>();
  const nameOf = ({ accountId, own, peer }: ThreadKey) => `${accountId} ${own} ${peer}`;

  /** Returns whether anybody was dropped. */
  function forget(place: string): boolean {
    const there = places.get(place);
    if (there === undefined) return false;
    const before = there.size;
    for (const [userId, { until }] of there) if (until <= clock.now()) there.delete(userId);
    const isLess = there.size < before;
    if (there.size === 0) places.delete(place);
    return isLess;
  }

  return {
    note: (key, { userId, name }, isHere) => {
      const place = nameOf(key);
      const isLess = forget(place);
      const there = places.get(place);
      if (!isHere) {
        const isGone = there?.delete(userId) === true;
        if (there?.size === 0) places.delete(place);
        return isGone || isLess;
      }
      if (there === undefined && places.size >= placesMax) for (const one of [...places.keys()]) forget(one);
      if (there === undefined && places.size >= placesMax) return false;
      const isNew = there?.has(userId) !== true;
      const list = there ?? new Map<string, Onlooker & { until: number }>();
      list.set(userId, { userId, name, until: clock.now() + presenceMs });
      places.set(place, list);
      return isNew || isLess;
    },
    here: (key) => {
      forget(nameOf(key));
      return [...(places.get(nameOf(key))?.values() ?? [])].map(({ userId, name }) => ({ userId, name }));
    },
  };
}

interface HereParts {
  live: Pick<Live, 'presenceChanged'>;
  presence: Presence;
  keyOf(call: PortalCall): ThreadKey | null;
}

/**
 * `POST /conversations/:number/:peer/here`: a browser reports that its person is viewing a conversation, or has
 * stopped.
 */
export function addHere(routes: PortalRoutes, { live, presence, keyOf }: HereParts): void {
  routes.add({
    method: 'POST',
    path: '/conversations/:number/:peer/here',
    access: 'readBody',
    body: form({ here: { ...flag, optional: false } }),
    answer: answers(object({ people: list(assignee) }), 'Who else looks at it now'),
    work: (call) => {
      const key = keyOf(call);
      if (key === null)
        return rejection('NOT_FOUND', 'Your company has no such number, or this is not a telephone number.');
      const { userId, name } = call.person.user;
      if (presence.note(key, { userId, name }, call.body.here)) {
        live.presenceChanged(key.accountId, key.own, key.peer, presence.here(key));
      }
      return success('Noted.', { people: presence.here(key).filter((one) => one.userId !== userId) });
    },
  });
}
