/** The reply box beneath a conversation, or why it is closed. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import type { ThreadPage } from '../../api/routes/conversations';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ReplyBox } from '../../ui/Chat';
import { Notice } from '../../ui/States';
import { phoneText, ReasonLink, Time } from '../../ui/Values';
import { meaningOf } from '../reasons/reasons';
import { CannedReplyMenu, ManageReplies } from './CannedReplies';
import styles from './Conversations.module.css';
import { filledIn, refusedBecause, type SendAnswer, unfilled } from './conversations';
import { useReply } from './replies';

const labels = labelsOf('conversation');
const cannedLabels = labelsOf('canned');

export function Answer({ now, onSent }: { now: ThreadPage; onSent(): Promise<unknown> }) {
  const may = useMay('send');
  return <div className={styles.answer}>{may ? <Box now={now} onSent={onSent} /> : <MayNot />}</div>;
}

function MayNot() {
  return <Notice tone="info" title={labels.mayNotSend} />;
}

function Box({ now, onSent }: { now: ThreadPage; onSent(): Promise<unknown> }) {
  const { number, peer, contact, closed } = now;
  const me = useMe();
  const mayLift = useMay('manageOptOuts');
  const reply = useReply(me.user.userId, number, peer);
  const [managing, setManaging] = useState(false);
  if (closed !== null) {
    const { reason, detail, since } = closed;
    return (
      <Notice tone="warn" title={labels.closed}>
        <p>
          {meaningOf('recipient', reason, detail)} {since !== null && <Time at={since} />}
        </p>
        <ReasonLink code={reason} />{' '}
        {reason === 'OPTED_OUT' && (
          <Link to={`/opt-outs?contact=${peer}` as '/'}>{mayLift ? labels.lift : labels.optOut}</Link>
        )}
      </Notice>
    );
  }
  const values = {
    name: contact?.name ?? '',
    number: phoneText(peer),
    own: phoneText(number),
    me: me.user.name,
    company: me.account.name,
  };
  return (
    <>
      {managing && <ManageReplies onClose={() => setManaging(false)} />}
      <ReplyBox
        label={labels.reply}
        kept={reply}
        tools={(put) => (
          <CannedReplyMenu onPick={(text) => put(filledIn(text, values))} onManage={() => setManaging(true)} />
        )}
        faultOf={(text) => {
          const placeholder = unfilled(text);
          return placeholder === null ? null : cannedLabels.unfilled(placeholder);
        }}
        onSend={async (text, mediaUrls) => {
          const body = { from: number, to: [peer], text, ...(mediaUrls.length > 0 && { mediaUrls }) };
          reply.stored('');
          try {
            const refused = refusedBecause((await api.post('/send', body)) as SendAnswer);
            await onSent();
            if (refused !== null) throw new ApiError(400, { reason: 'REFUSED', detail: labels.refused(refused) }, null);
          } catch (fault) {
            reply.stored(text);
            throw fault;
          }
        }}
      />
    </>
  );
}
