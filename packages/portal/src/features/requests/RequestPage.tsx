/** The messages of one request, by the id that its answer carried in `X-Request-Id`. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import { Page } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Copyable } from '../../ui/Values';
import { messageWords } from '../../words/en/messages';
import { allColumns } from '../messages/columns';
import type { Listed } from '../messages/message-data';

const words = messageWords.request;

export function RequestPage() {
  const { requestId } = useParams({ strict: false }) as { requestId: string };
  const navigate = useNavigate();
  const request = useQuery({
    queryKey: ['messages', 'request', requestId],
    queryFn: async () => (await api.get<{ messages: Listed[] }>(`/requests/${requestId}`)).data.messages,
  });
  return (
    <Page title={words.title} crumbs={[{ label: messageWords.title, to: '/messages' }, { label: words.title }]}>
      <Copyable value={requestId} what="the request id" />
      <Shown of={request}>
        {(messages) => (
          <Table
            caption={words.caption}
            columns={allColumns}
            rows={messages}
            keyOf={({ messageId }) => messageId}
            onOpen={({ messageId }) => void navigate({ to: '/messages/$messageId', params: { messageId } })}
          />
        )}
      </Shown>
    </Page>
  );
}
