/** A window over the page: for what must be answered, never for news. */
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from './Button';
import styles from './Dialog.module.css';

export function Dialog({
  title,
  open,
  onClose,
  children,
  wide,
  urgent,
}: {
  title: string;
  open: boolean;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
  /** It interrupts: closing needs an answer. */
  urgent?: boolean;
}) {
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
            <IconButton icon="cross" label="Close" onPress={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
