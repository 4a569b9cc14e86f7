/**
 * Says above every page that the gateway does not answer, and how old what is shown is. It must not be loaded when it is
 * needed: nothing can be loaded then.
 */
import { useEffect, useState } from 'react';
import { useIsAway, useOldestStanding } from '../api/away';
import { labelsOf } from '../language/labels';
import { Notice } from '../ui/States';
import { Time } from '../ui/Values';

const frameWords = labelsOf('frame');

/** How often the relative time is updated. */
const tellEveryMs = 10_000;

export function OfflineStrip() {
  const isAway = useIsAway();
  const readAt = useOldestStanding();
  const [, tell] = useState(0);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => tell((times) => times + 1), tellEveryMs);
    return () => clearInterval(timer);
  }, [isAway]);
  if (!isAway) return null;
  const words = frameWords.offline;
  return (
    <div role="status">
      <Notice tone="warn" title={words.title}>
        {words.detail}
        {readAt !== null && (
          <>
            {' '}
            {words.updated} <Time at={new Date(readAt).toISOString()} form="relative" />.
          </>
        )}
      </Notice>
    </div>
  );
}
