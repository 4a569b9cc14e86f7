/** The messages of one handset, and the box to answer from it. */
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { api } from '../../api/client';
import { useOwnNumbers } from '../../api/own-numbers';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Chat, ReplyBox } from '../../ui/Chat';
import { Select } from '../../ui/Field';
import { handsetFile } from '../../ui/medium';
import { Empty, Notice, Shown } from '../../ui/States';
import { phoneText } from '../../ui/Values';
import styles from './Handsets.module.css';
import { bubblesOf } from './handsets';
import type { Talk } from './queries';

const labels = labelsOf('handset');

const lastSender = '';

export function TalkPanel({ number, talk }: { number: string; talk: UseQueryResult<Talk> }) {
  const may = useMay('send');
  return (
    <div className={styles.talk}>
      <Shown of={talk} leads>
        {({ received, sent }) => {
          const bubbles = bubblesOf(received, sent);
          return bubbles.length === 0 ? (
            <Empty title={labels.nothing}>{labels.nothingDetail(number)}</Empty>
          ) : (
            <Chat label={labels.chat} messages={bubbles} />
          );
        }}
      </Shown>
      {may ? <Answer number={number} /> : <Notice tone="info" title={labels.mayNotAnswer} />}
    </div>
  );
}

/** Not rendered again for a text that comes. */
const Answer = memo(({ number }: { number: string }) => {
  const client = useQueryClient();
  const [to, setTo] = useState(lastSender);
  const numbers = useOwnNumbers();

  async function reply(text: string, mediaUrls: string[], others: File[]): Promise<void> {
    const files = await Promise.all(others.map(handsetFile));
    const media = { ...(mediaUrls.length > 0 && { mediaUrls }), ...(files.length > 0 && { files }) };
    const body = { text, ...(to !== lastSender && { to }), ...media };
    await api.post('/sandbox/handsets/:number/reply', body, { number });
    await client.invalidateQueries({ queryKey: ['handset', 'talk', number] });
  }

  return (
    <div className={styles.answer}>
      <Select
        label={labels.answerTo}
        value={to}
        onChange={setTo}
        choices={[
          { value: lastSender, label: labels.lastSender },
          ...numbers.map((one) => ({ value: one, label: phoneText(one) })),
        ]}
      />
      <ReplyBox label={labels.reply} quick={labels.quick} onSend={reply} anyFile />
    </div>
  );
});
