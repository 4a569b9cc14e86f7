/**
 * Says above every page that the gateway does not answer, and how old what is shown is. It must not be loaded when it is
 * needed: nothing can be loaded then.
 */
import { useEffect, useState } from 'react';
import { useLiveState } from '../api/live';
import { Notice } from '../ui/States';
import { Time } from '../ui/Values';
import { frameWords } from '../words/en/frame';

/** A connection that is back within this time is no news. */
const patienceMs = 2_500;

export function OfflineStrip() {
  const isLost = useLiveState() === 'reconnecting';
  const [lostSince, setLostSince] = useState<string | null>(null);
  useEffect(() => {
    setLostSince(null);
    if (!isLost) return;
    const since = new Date().toISOString();
    const timer = setTimeout(() => setLostSince(since), patienceMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  if (lostSince === null) return null;
  return (
    <div role="status">
      <Notice tone="warn" title={frameWords.offline.title}>
        {frameWords.offline.detail} <Time at={lostSince} />.
      </Notice>
    </div>
  );
}
