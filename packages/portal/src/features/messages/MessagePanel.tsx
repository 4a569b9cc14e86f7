/** One message and its history beside the list, which keeps its place. */
import { useEffect, useRef } from 'react';
import { labelsOf } from '../../language/labels';
import { IconButton, LinkButton } from '../../ui/Button';
import { Shown } from '../../ui/States';
import { Summary, useFullMessage } from './MessagePage';
import styles from './Messages.module.css';

const messageWords = labelsOf('message');

const words = messageWords.list.panel;

export function MessagePanel({
  messageId,
  takesFocus,
  onClose,
}: {
  messageId: string;
  /** Opened from its row; a page opened by its address starts at its top. */
  takesFocus: boolean;
  onClose(): void;
}) {
  const full = useFullMessage(messageId);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message is another panel.
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, [messageId, takesFocus]);
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
        <h2 id="message-panel" ref={heading} tabIndex={-1}>
          {words.title}
        </h2>
        <LinkButton to="/messages/$messageId" params={{ messageId }}>
          {words.open}
        </LinkButton>
        <IconButton icon="cross" label={words.close} onPress={onClose} />
      </header>
      <Shown of={full} rows={8}>
        {(data) => <Summary full={data} />}
      </Shown>
    </aside>
  );
}
