/** The inbox: conversations of the company's numbers with telephones that wrote to them. */
import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../api/live';
import { useOwnNumbers } from '../../api/own-numbers';
import { labelsOf } from '../../language/labels';
import { useNarrow } from '../../ui/narrow';
import { Page, Panel } from '../../ui/Page';
import { Empty } from '../../ui/States';
import { phoneText } from '../../ui/Values';
import styles from './Conversations.module.css';
import { Inbox } from './Inbox';
import { ThreadPanel } from './ThreadPanel';

const words = labelsOf('conversation');

export function ConversationsPage() {
  const narrow = useNarrow('(max-width: 900px)');
  return (
    <Page title={words.title}>
      <Arrivals />
      <div className={styles.panes}>
        <Panel title={words.list}>
          <Inbox chosen={null} />
        </Panel>
        {!narrow && <Empty title={words.pick}>{words.pickDetail}</Empty>}
      </div>
    </Page>
  );
}

export function ConversationPage() {
  const { number, peer } = useParams({ from: '/inside/conversations/$number/$peer' });
  const narrow = useNarrow('(max-width: 900px)');
  return (
    <Page
      title={words.title}
      documentTitle={`${phoneText(peer)} · ${words.title}`}
      {...(narrow && { crumbs: [{ label: words.list, to: '/conversations' }] })}
    >
      <Arrivals />
      <div className={styles.panes}>
        {!narrow && (
          <Panel title={words.list}>
            <Inbox chosen={{ number, peer }} />
          </Panel>
        )}
        <Panel>
          <ThreadPanel key={`${number} ${peer}`} number={number} peer={peer} />
        </Panel>
      </div>
    </Page>
  );
}

/** Announces new messages politely, for people who do not see the list change. */
function Arrivals() {
  const [told, tell] = useState('');
  const numbers = useOwnNumbers();
  /** Only arrivals of the shown environment are announced. */
  const own = useRef(numbers);
  useEffect(() => {
    own.current = numbers;
  }, [numbers]);
  useLive(
    useCallback((type, { direction, from, to }) => {
      const isListed = type === 'message' && direction === 'inbound' && to !== undefined && own.current.includes(to);
      if (isListed && from !== undefined) tell(words.arrived(phoneText(from)));
    }, []),
  );
  return (
    <p role="status" className="visually-hidden">
      {told}
    </p>
  );
}
