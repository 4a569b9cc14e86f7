/** Live updates of the message log: the states of its rows, in place, and the number of new messages above them. */
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../../api/client';
import { isPaused, useLive, useMissed } from '../../api/live';
import { movedPages, statesOf } from './live-rows';
import type { ListAnswer, ListedRow } from './message-data';
import { createRowStates } from './row-states';

export interface ListPage extends ListAnswer {
  next: string | null;
}

export interface LogParams {
  q: string;
  /** `request`: one row for each request. */
  by: string;
}

export const logKey = ({ q, by }: LogParams) => ['message-log', q, by] as const;

export async function readPage(
  params: LogParams,
  position: { before?: string; after?: string; limit?: number },
): Promise<ListPage> {
  const { data, next } = await api.get('/messages', { query: { ...params, ...position } });
  return { ...data, next: next ?? null };
}

async function readStates(messageIds: readonly string[]) {
  const { data } = await api.get('/messages/states', { query: { ids: messageIds.join(',') } });
  return data.states.map(({ updatedAt, ...one }) => ({ ...one, at: updatedAt }));
}

/** New messages that match the search are counted at most this often. */
const calmMs = 600;
/** Above this number the count shows `99+`. */
const countMax = 100;

interface LiveRowsParts {
  params: LogParams;
  rows: readonly ListedRow[];
  /** Whether pages of the list are loading: they contain none of the changes meanwhile. */
  isReading: boolean;
  isReady: boolean;
  /** Around the table. */
  list: RefObject<HTMLElement | null>;
}

export function useLiveRows({ params, rows, isReading, isReady, list }: LiveRowsParts) {
  const { q, by } = params;
  const client = useQueryClient();
  const [fresh, setFresh] = useState({ q, by, count: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const now = useRef({ q, by, rows, isReady, known: new Set<string>() });
  const known = useMemo(() => new Set(rows.flatMap((row) => statesOf(row).map(({ messageId }) => messageId))), [rows]);
  now.current = { q, by, rows, isReady, known };

  const states = useMemo(
    () =>
      createRowStates({
        shown: () => fromScreen(now.current.rows, list.current).flatMap(statesOf),
        read: readStates,
        write: (moved) =>
          client.setQueryData<InfiniteData<ListPage>>(
            logKey(now.current),
            (list) => list && movedPages<ListPage, typeof list>(list, moved),
          ),
        isPaused,
        after: (ms, work) => {
          const started = setTimeout(work, ms);
          return () => clearTimeout(started);
        },
      }),
    [client, list],
  );
  useEffect(() => states.stop, [states]);

  const show = useCallback(() => {
    setFresh({ q: now.current.q, by: now.current.by, count: 0 });
    void client.resetQueries({ queryKey: logKey(now.current), exact: true });
  }, [client]);

  const count = useCallback(async () => {
    timer.current = null;
    const { q: text, by: grouped, rows: shown } = now.current;
    const top = shown[0]?.messageId;
    // An empty page has no rows to update.
    if (top === undefined) return void client.refetchQueries({ queryKey: logKey(now.current), exact: true });
    const { messages } = await readPage({ q: text, by: grouped }, { after: top, limit: countMax });
    const { q: laterText, by: laterGrouped, rows: later } = now.current;
    if (text === laterText && grouped === laterGrouped && later[0]?.messageId === top)
      setFresh({ q: text, by: grouped, count: messages.length });
  }, [client]);
  const countSoon = useCallback(() => {
    timer.current ??= setTimeout(() => void count().catch(() => {}), calmMs);
  }, [count]);

  useLive(
    useCallback(
      (type, { messageId, state, code, at }) => {
        if (type !== 'message' || !now.current.isReady) return;
        if (messageId === undefined || state === undefined || !now.current.known.has(messageId)) countSoon();
        else states.heard(messageId, { state, code: code ?? null, at: at ?? '' });
      },
      [states, countSoon],
    ),
  );
  const lookAgain = useCallback(() => {
    if (!now.current.isReady) return;
    states.missed();
    countSoon();
  }, [states, countSoon]);
  useMissed(lookAgain);
  useEffect(() => {
    if (isReady && !isReading) states.missed();
  }, [isReady, isReading, states]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return { fresh: fresh.q === q && fresh.by === by ? fresh.count : 0, show };
}

/** The rows from the first on the screen downwards, then those above it. */
function fromScreen(rows: readonly ListedRow[], list: HTMLElement | null): readonly ListedRow[] {
  const drawn = [...(list?.querySelectorAll('tbody > tr') ?? [])];
  const first = drawn.findIndex((row) => row.getBoundingClientRect().bottom > 0);
  return first <= 0 ? rows : [...rows.slice(first), ...rows.slice(0, first)];
}
