/** A secret that is shown once: leaving before it was copied or saved needs a confirmation, in every way of leaving. */
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { Dialog, DialogActions } from './Dialog';

export interface OneTimeSecretLabels {
  leave: string;
  leaveDetail: string;
  leaveAnyway: string;
  stay: string;
}

/** Asks automatically when the page or tab is left; buttons and Esc go through `leave`. */
export function useOneTimeSecret(isUnsaved: boolean, labels: OneTimeSecretLabels) {
  const [going, setGoing] = useState<{ on(): void } | null>(null);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  const stay = (): void => {
    setGoing(null);
    blocker.reset?.();
  };
  const go = (): void => {
    going?.on();
    blocker.proceed?.();
    setGoing(null);
  };
  return {
    leave: (on: () => void): void => (isUnsaved ? setGoing({ on }) : on()),
    confirmation: (
      <CloseConfirmation
        labels={labels}
        open={going !== null || blocker.status === 'blocked'}
        onStay={stay}
        onLeave={go}
      />
    ),
  };
}

/** A dialog of its own, visible wherever the person is in a long sheet. */
function CloseConfirmation({
  labels,
  open,
  onStay,
  onLeave,
}: {
  labels: OneTimeSecretLabels;
  open: boolean;
  onStay(): void;
  onLeave(): void;
}) {
  return (
    <Dialog title={labels.leave} open={open} onClose={onStay} urgent>
      <p>{labels.leaveDetail}</p>
      <DialogActions>
        <Button look="danger" onPress={onLeave}>
          {labels.leaveAnyway}
        </Button>
        <Button look="primary" autoFocus onPress={onStay}>
          {labels.stay}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A sheet with a secret that is shown once. */
export function OneTimeSecretSheet({
  title,
  done,
  isKept,
  labels,
  onClose,
  children,
}: {
  title: string;
  /** Label of the button that closes it. */
  done: string;
  isKept: boolean;
  labels: OneTimeSecretLabels;
  onClose(): void;
  children: ReactNode;
}) {
  const { leave, confirmation } = useOneTimeSecret(!isKept, labels);
  const close = () => leave(onClose);
  return (
    <Dialog title={title} open onClose={close} urgent wide>
      {children}
      <DialogActions>
        <Button look="primary" onPress={close}>
          {done}
        </Button>
      </DialogActions>
      {confirmation}
    </Dialog>
  );
}
