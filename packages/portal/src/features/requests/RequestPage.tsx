/** The messages of one request, by the id that its answer carried in `X-Request-Id`. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import { Page } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { Copyable } from '../../ui/Values';
import { messageWords } from '../../words/en/messages';
import type { Listed, Refused } from '../messages/message-data';
import { Recipients } from '../messages/Recipients';

const words = messageWords.request;

export function RequestPage() {
  const { requestId } = useParams({ strict: false }) as { requestId: string };
  const request = useQuery({
    queryKey: ['messages', 'request', requestId],
    queryFn: async () => (await api.get<{ messages: Listed[]; refused: Refused[] }>(`/requests/${requestId}`)).data,
  });
  return (
    <Page title={words.title} crumbs={[{ label: messageWords.title, to: '/messages' }, { label: words.title }]}>
      <Copyable value={requestId} what="the request id" />
      <Shown of={request}>
        {({ messages, refused }) => <Recipients caption={words.caption} messages={messages} refused={refused} />}
      </Shown>
    </Page>
  );
}
