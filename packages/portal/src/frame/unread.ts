/** Unread replies of the company, as the gateway counts them: in the navigation and in the title of the tab. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { api } from '../api/client';
import { useLive, useMissed } from '../api/live';
import { useMay } from '../api/session';
import { setUnreadInTitle } from '../ui/tab-title';

const unreadKey = ['unread'] as const;
/** A burst of replies is counted once. */
const calmMs = 500;

export function useUnread(): number {
  const mayRead = useMay('readBody');
  const client = useQueryClient();
  const { data = 0 } = useQuery({
    queryKey: unreadKey,
    enabled: mayRead,
    queryFn: async () => (await api.get('/conversations', { query: { limit: 1 } })).data.unread,
  });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const countSoon = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void client.invalidateQueries({ queryKey: unreadKey });
    }, calmMs);
  }, [client]);
  useLive(
    useCallback(
      (type, { direction }) => {
        if (type === 'conversation' || (type === 'message' && direction === 'inbound')) countSoon();
      },
      [countSoon],
    ),
  );
  useMissed(countSoon);
  const unread = mayRead ? data : 0;
  useEffect(() => setUnreadInTitle(unread), [unread]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      setUnreadInTitle(0);
    },
    [],
  );
  return unread;
}
