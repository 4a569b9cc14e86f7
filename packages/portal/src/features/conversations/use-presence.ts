/** Who else looks at a conversation: this browser says that its person does, and hears of the others by the stream. */
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../api/client';
import { useLive } from '../../api/live';
import { useMe } from '../../api/session';

/** The gateway forgets somebody after 50 s without a word. */
const sayEveryMs = 20_000;

export interface Onlooker {
  userId: string;
  name: string;
}

export function usePresence(number: string, peer: string): readonly Onlooker[] {
  const { userId } = useMe().user;
  const [others, setOthers] = useState<readonly Onlooker[]>([]);
  useEffect(() => {
    let isOver = false;
    const say = (here: boolean): void => {
      void api
        .postLeaving('/conversations/:number/:peer/here', { here }, { number, peer })
        .then(({ data }) => !isOver && setOthers(data.people))
        // Nobody misses it: the next one comes soon.
        .catch(() => undefined);
    };
    const sayIfSeen = () => {
      if (document.visibilityState === 'visible') say(true);
    };
    const seenOrNot = () => say(document.visibilityState === 'visible');
    sayIfSeen();
    const timer = setInterval(sayIfSeen, sayEveryMs);
    const leave = () => say(false);
    document.addEventListener('visibilitychange', seenOrNot);
    addEventListener('pagehide', leave);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seenOrNot);
      removeEventListener('pagehide', leave);
      say(false);
    };
  }, [number, peer]);
  useLive(
    useCallback(
      (type, data) => {
        if (type !== 'presence' || data.number !== number || data.peer !== peer) return;
        setOthers((data.people ?? []).filter((one) => one.userId !== userId));
      },
      [number, peer, userId],
    ),
  );
  return others;
}
