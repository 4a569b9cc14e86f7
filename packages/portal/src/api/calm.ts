/** Refetches figures of messages while messages change, at a limited rate. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useLive } from './live';

/** A change is drawn at most this often. */
const calmMs = 5_000;

/** For a query whose `meta` is `staysPut`, or whose key no event names. */
export function useCalmly(queryKey: QueryKey): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latestKey = useRef(queryKey);
  latestKey.current = queryKey;
  useLive(
    useCallback(
      (type) => {
        if (type !== 'message') return;
        timer.current ??= setTimeout(() => {
          timer.current = null;
          void client.invalidateQueries({ queryKey: latestKey.current });
        }, calmMs);
      },
      [client],
    ),
  );
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
}
