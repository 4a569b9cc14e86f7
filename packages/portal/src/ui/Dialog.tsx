/** A dialog over the page: for input and confirmations, never for notices. */
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { labelsOf } from '../language/labels';
import { Button, IconButton } from './Button';
import styles from './Dialog.module.css';
import { Filled } from './filled';

const closeLabel = labelsOf('ui').close;

const frameLabels = labelsOf('frame');

const labels = frameLabels.unsaved;

interface DialogProps {
  title: string;
  open: boolean;
  /** Called on Esc, a click outside or the cross; after a confirmation if something was filled in. */
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
  /** It interrupts: closing needs an answer. */
  urgent?: boolean;
}

export function Dialog({ title, open, onClose, children, wide, urgent }: DialogProps) {
  const filled = useRef(new Set<Element>());
  const [asking, setAsking] = useState(false);
  /** Removed fields, as after saving, have no input to lose. */
  const close = (): void => {
    if ([...filled.current].some((field) => field.isConnected)) setAsking(true);
    else onClose();
  };
  /** Only form fields: other choices, such as a period, need no saving. */
  const note = useCallback((field: EventTarget | null): void => {
    if (field instanceof Element && field.closest('form') !== null) filled.current.add(field);
  }, []);
  return (
    <Window title={title} open={open} onClose={close} wide={wide} urgent={urgent}>
      <Filled value={note}>
        <div className={styles.body} onInput={({ target }) => note(target)}>
          {children}
        </div>
      </Filled>
      <Window title={labels.title} open={asking} onClose={() => setAsking(false)} urgent>
        <div className={styles.body}>
          <p>{labels.detail}</p>
          <DialogActions>
            <Button
              look="danger"
              onPress={() => {
                setAsking(false);
                filled.current.clear();
                onClose();
              }}
            >
              {labels.discard}
            </Button>
            <Button look="primary" autoFocus onPress={() => setAsking(false)}>
              {labels.stay}
            </Button>
          </DialogActions>
        </div>
      </Window>
    </Window>
  );
}

function Window({ title, open, onClose, children, wide, urgent }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      isDismissable={urgent !== true}
      className={styles.overlay}
    >
      <Modal className={`${styles.modal} ${wide === true ? styles.wide : ''}`}>
        <AriaDialog role={urgent === true ? 'alertdialog' : 'dialog'} className={styles.dialog}>
          <header className={styles.head}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            <IconButton icon="cross" label={closeLabel} onPress={onClose} />
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
