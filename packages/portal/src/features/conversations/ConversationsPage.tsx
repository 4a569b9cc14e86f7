/** The inbox: conversations of the company's numbers with telephones that wrote to them. */

import { labelsOf } from '../../language/labels';
import { useNarrow } from '../../ui/narrow';
import { Page, Panel } from '../../ui/Page';
import { Empty } from '../../ui/States';
import { Arrivals } from './Arrivals';
import styles from './Conversations.module.css';
import { Inbox } from './Inbox';

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
