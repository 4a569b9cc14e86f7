/** The inbox: conversations of the company's numbers with telephones that wrote to them, and the open one beside them. */
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../api/live';
import { useOwnNumbers } from '../../api/own-numbers';
import { labelsOf } from '../../language/labels';
import { useNarrow } from '../../ui/narrow';
import { Page } from '../../ui/Page';
import { Empty } from '../../ui/States';
import { phoneText } from '../../ui/Values';
import styles from './Conversations.module.css';
import { Inbox } from './Inbox';
import { PageTools } from './PageTools';
import { ThreadPanel } from './ThreadPanel';

const labels = labelsOf('conversation');

export function ConversationsPage() {
  const { number, peer } = useParams({ strict: false });
  const isNarrow = useNarrow('(max-width: 900px)');
  const leave = useLeave();
  const chosen = number === undefined || peer === undefined ? null : { number, peer };
  const isAlone = isNarrow && chosen !== null;
  return (
    <Page
      // On a telephone each is a separate page, whose title gets the focus.
      key={isAlone ? 'thread' : 'inbox'}
      fills
      title={labels.title}
      documentTitle={chosen === null ? labels.title : `${phoneText(chosen.peer)} · ${labels.title}`}
      {...(isAlone
        ? { isTitleHidden: true, crumbs: [{ label: labels.list, to: '/conversations' }] }
        : { actions: <PageTools /> })}
    >
      <div className={styles.panes}>
        <Arrivals />
        {!isAlone && <Inbox chosen={chosen} follows={chosen !== null} />}
        {chosen !== null && (
          <div className={styles.pane}>
            <ThreadPanel key={`${chosen.number} ${chosen.peer}`} {...chosen} onLeave={leave} />
          </div>
        )}
        {chosen === null && !isNarrow && (
          <div className={`${styles.pane} ${styles.noThread}`}>
            <Empty title={labels.pick}>{labels.pickDetail}</Empty>
          </div>
        )}
      </div>
    </Page>
  );
}

/** Back to the list, which stays unchanged; the focus goes to the row that was open. */
function useLeave(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    const row = document.querySelector<HTMLElement>('[data-row] [aria-current="page"]');
    void navigate({ to: '/conversations', search: true, resetScroll: false });
    row?.focus({ preventScroll: true });
  }, [navigate]);
}

/** Announces new messages politely, for people who do not see the list change. */
function Arrivals() {
  const [announced, announce] = useState('');
  const numbers = useOwnNumbers();
  /** Only arrivals of the shown environment are announced. */
  const own = useRef(numbers);
  useEffect(() => {
    own.current = numbers;
  }, [numbers]);
  useLive(
    useCallback((type, { direction, from, to }) => {
      const isListed = type === 'message' && direction === 'inbound' && to !== undefined && own.current.includes(to);
      if (isListed && from !== undefined) announce(labels.arrived(phoneText(from)));
    }, []),
  );
  return (
    <p role="status" className="visually-hidden">
      {announced}
    </p>
  );
}
