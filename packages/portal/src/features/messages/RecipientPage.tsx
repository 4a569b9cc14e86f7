/** One recipient of a request by the telephone's number: leads to that recipient's own message. */
import { Navigate, useParams } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { Page } from '../../ui/Page';
import { Empty, MessageSearch, Shown } from '../../ui/States';
import { useFullMessage } from './MessagePage';

const messageWords = labelsOf('message');

const words = messageWords.one;

export function RecipientPage() {
  const { messageId, to } = useParams({ strict: false }) as { messageId: string; to: string };
  const full = useFullMessage(messageId);
  return (
    <Page title={words.title} crumbs={[{ label: messageWords.title, to: '/messages' }, { label: words.title }]}>
      <Shown of={full}>
        {({ message, recipients }) => {
          const wanted = to.replace(/\D/g, '');
          const one = [message, ...recipients].find((each) => each.to === wanted);
          if (one === undefined) {
            return (
              <Empty title={words.noRecipient} action={<MessageSearch />}>
                {words.noRecipientDetail(to)}
              </Empty>
            );
          }
          return <Navigate to="/messages/$messageId" params={{ messageId: one.messageId }} replace />;
        }}
      </Shown>
    </Page>
  );
}
