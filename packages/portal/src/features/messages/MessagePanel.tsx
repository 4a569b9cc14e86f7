/** One message and its history beside the list, which keeps its place. */
import { useEffect, useRef } from 'react';
import { labelsOf } from '../../language/labels';
import { IconButton, LinkButton } from '../../ui/Button';
import { Shown } from '../../ui/States';
import { Summary, useFullMessage } from './MessagePage';
import styles from './Messages.module.css';

const messageLabels = labelsOf('message');

const labels = messageLabels.list.panel;

export function MessagePanel({ messageId, onClose }: { messageId: string; onClose(): void }) {
  const full = useFullMessage(messageId);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      // Dialogs over the page, and fields in use, handle Esc themselves.
      const elsewhere = (event.target as Element).closest('input, textarea, [role="dialog"], [role="alertdialog"]');
      if (event.key === 'Escape' && !event.defaultPrevented && elsewhere === null) close.current();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return (
    <aside className={styles.beside} aria-labelledby="message-panel">
      <header className={styles.besideHead}>
        <h2 id="message-panel">{labels.title}</h2>
        <LinkButton to="/messages/$messageId" params={{ messageId }} look="quiet" icon="open">
          {labels.open}
        </LinkButton>
        <IconButton icon="cross" label={labels.close} onPress={onClose} />
      </header>
      <Shown of={full} rows={8}>
        {(data) => <Summary full={data} />}
      </Shown>
    </aside>
  );
}
