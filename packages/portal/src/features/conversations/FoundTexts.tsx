/** Messages with the searched words, from the newest back; each leads to its conversation. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { staysPut } from '../../api/live';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { FormFault, Loading } from '../../ui/States';
import { phoneText, Time } from '../../ui/Values';
import styles from './Conversations.module.css';
import { textSearch } from './conversations';

const labels = labelsOf('conversation');
const rows = 20;
/** The search starts when the person stops typing. */
const calmMs = 350;
const lettersMin = 2;
/** Steps of the message log that are read before the person is prompted. */
const stepsMax = 10;

function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), calmMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function FoundTexts({ search }: { search: string }) {
  const text = useSettled(search);
  const found = useInfiniteQuery({
    queryKey: ['conversations', 'texts', text],
    enabled: text.length >= lettersMin,
    queryFn: ({ pageParam }) =>
      api.get('/messages', { query: { q: textSearch(text), limit: rows, before: pageParam } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 30_000,
    // A new message would cause another search of the whole log.
    meta: staysPut,
  });
  const messages = found.data?.pages.flatMap(({ data }) => data.messages) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = found;
  const goesOn = messages.length === 0 && hasNextPage && (found.data?.pages.length ?? 0) < stepsMax;
  useEffect(() => {
    if (goesOn && !isFetching && !isError) void fetchNextPage();
  }, [goesOn, isFetching, isError, fetchNextPage]);
  if (search.length < lettersMin) return null;
  return (
    <section aria-label={labels.inMessages} className={styles.found}>
      <h2>{labels.inMessages}</h2>
      <FormFault error={found.error} />
      {(found.isPending || goesOn) && !isError ? (
        <Loading rows={2} />
      ) : (
        messages.length === 0 && (
          <p className={styles.whoElse}>{hasNextPage ? labels.noneSoFar : labels.noneInMessages}</p>
        )
      )}
      <ul className={styles.threads}>
        {messages.map(({ messageId, direction, from, to, text: foundText, acceptedAt }) => {
          const own = direction === 'outbound';
          const [number, peer] = own ? [from, to] : [to, from];
          return (
            <li key={messageId} data-row>
              <Link to="/conversations/$number/$peer" params={{ number, peer }} search={true} className={styles.row}>
                <span className={styles.rowHead}>
                  <span className={styles.name}>{phoneText(peer)}</span>
                  <Time at={acceptedAt} form="relative" />
                </span>
                <span className={styles.excerpt}>
                  {own && <span className={styles.you}>{labels.you} </span>}
                  {foundText}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      {hasNextPage && !goesOn && (
        <Button look="quiet" isPending={found.isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {labels.lookOn}
        </Button>
      )}
    </section>
  );
}
