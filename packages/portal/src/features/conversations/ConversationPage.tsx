/** One conversation beside the inbox; where there is no room for both, alone, with the way back above it. */
import { useParams } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { useNarrow } from '../../ui/narrow';
import { Page, Panel } from '../../ui/Page';
import { phoneText } from '../../ui/Values';
import { Arrivals } from './Arrivals';
import styles from './Conversations.module.css';
import { Inbox } from './Inbox';
import { ThreadPanel } from './ThreadPanel';

const words = labelsOf('conversation');

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
