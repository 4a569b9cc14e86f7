/**
 * The result of a message before it is sent: its segments, skipped recipients with the reason, its cost. From a dry run
 * a moment after the last change: nothing is ever sent from here.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, api, isNoAnswer } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Facts, Panel } from '../../ui/Page';
import { Notice } from '../../ui/States';
import { ReasonLink } from '../../ui/Values';
import { meaningOf } from '../reasons/reasons';
import { type Skipped, skippedOf } from './compose';
import styles from './Messages.module.css';
import type { Result } from './Results';

const messageLabels = labelsOf('message');

const labels = messageLabels.compose.preview;
/** Runs after this long without typing. */
const calmMs = 600;
/** Each recipient is a look-up; a longer list is checked only with Check. */
const recipientsMax = 1_000;

export interface PreviewBody {
  from: string;
  to: readonly string[];
  text: string;
  mediaUrls?: readonly string[];
}

export interface Checked {
  /** Recipients that were looked up. */
  recipients: number;
  /** Recipients that would get it. */
  going: number;
  skipped: Skipped[];
}

/** The outcome of a dry run of the form; null while it is unknown. */
export function useDryRun(body: PreviewBody) {
  const calm = useCalm(JSON.stringify(body));
  const { from, to, text, mediaUrls = [] } = JSON.parse(calm) as PreviewBody;
  const ready =
    from !== '' && to.length > 0 && to.length <= recipientsMax && (text.trim() !== '' || mediaUrls.length > 0);
  return useQuery({
    queryKey: ['dry-run', calm],
    enabled: ready,
    retry: false,
    gcTime: 0,
    placeholderData: ready ? keepPreviousData : undefined,
    queryFn: async (): Promise<Checked> => {
      const answer = await api.post('/send', JSON.parse(calm), { query: { dryRun: true } });
      const results = (answer as unknown as { schema: { resultResponses: Result[] } }).schema.resultResponses;
      return {
        recipients: results.length,
        going: results.filter(({ status }) => status === 'SUCCESS').length,
        skipped: skippedOf(results),
      };
    },
  });
}

/** A value that has not changed for a moment. */
function useCalm(value: string): string {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), calmMs);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}

export function Preview({
  of,
  count,
  shape,
  cost,
  twice,
}: {
  of: ReturnType<typeof useDryRun>;
  count: number;
  shape: ReactNode;
  cost: string | null;
  twice: number;
}) {
  const { data, error } = of;
  // A missing answer says nothing about the message.
  const isAway = isNoAnswer(error);
  const facts: [string, ReactNode][] = [
    [labels.to, data === undefined ? messageLabels.compose.recipients(count) : labels.going(data.going, count)],
    [labels.shape, shape],
    [labels.cost, cost ?? labels.noCost],
    ...(twice > 0 ? [[labels.twice, messageLabels.compose.twice(twice)] as [string, ReactNode]] : []),
  ];
  return (
    <Panel title={labels.title}>
      <Facts facts={facts} />
      <div role="status" className={styles.previewState}>
        {isAway && <Notice tone="info" title={labels.away} />}
        {error instanceof ApiError && !isAway && (
          <Notice tone="warn" title={labels.refused}>
            {error.message}
          </Notice>
        )}
        {error === null && data === undefined && <p className={styles.muted}>{labels.waiting}</p>}
        {error === null && data !== undefined && data.skipped.length === 0 && <p>{labels.nobody}</p>}
        {error === null &&
          data?.skipped.map(({ code, detail, numbers }) => (
            <Notice key={code} tone="warn" title={labels.skipped(numbers.length)}>
              <p>
                <ReasonLink code={code} /> {numbers.length === 1 && meaningOf('recipient', code, detail)}
              </p>
              <p className={styles.marks}>
                {numbers.slice(0, 20).map((number) => (
                  <code key={number}>{number}</code>
                ))}
                {numbers.length > 20 && labels.more(numbers.length - 20)}
              </p>
            </Notice>
          ))}
      </div>
      <p className={styles.muted}>{labels.nothingSent}</p>
    </Panel>
  );
}
