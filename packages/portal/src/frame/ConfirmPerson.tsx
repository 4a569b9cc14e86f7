/**
 * Asks for the password again before sensitive actions, because somebody else may be sitting at the screen. One for all
 * pages.
 */
import { lazy, Suspense, useEffect, useState } from 'react';
import { onConfirm } from '../api/client';
import { labelsOf } from '../language/labels';
import { Dialog } from '../ui/Dialog';
import { Loading } from '../ui/States';

const labels = labelsOf('frame').confirm;

const ConfirmForm = lazy(() => import('./ConfirmForm').then((one) => ({ default: one.ConfirmForm })));

export function ConfirmPerson() {
  const [settle, setSettle] = useState<((given: boolean) => void) | null>(null);

  useEffect(() => {
    onConfirm(() => new Promise((resolve) => setSettle(() => resolve)));
    return () => onConfirm(null);
  }, []);

  function done(given: boolean): void {
    settle?.(given);
    setSettle(null);
  }

  return (
    <Dialog title={labels.title} open={settle !== null} onClose={() => done(false)}>
      <Suspense fallback={<Loading rows={2} />}>
        <ConfirmForm onDone={() => done(true)} onCancel={() => done(false)} />
      </Suspense>
    </Dialog>
  );
}
