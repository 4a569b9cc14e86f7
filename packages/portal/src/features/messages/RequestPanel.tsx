/** The stored parts of a message's request and its answer, and which parts are missing; never tokens. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import type { SentRequest } from '../../api/routes/messages';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Panel } from '../../ui/Page';
import { Notice, Shown } from '../../ui/States';
import { Code, momentText } from '../../ui/Values';
import styles from './Messages.module.css';
import type { Whole } from './message-data';

const labels = labelsOf('request');

export function RequestPanel({ message }: { message: Whole }) {
  return (
    <>
      {message.direction === 'outbound' && <Sent messageId={message.messageId} />}
      <Panel>
        <details className={styles.raw} open={message.direction === 'inbound'}>
          <summary>{labels.fields}</summary>
          <Code text={JSON.stringify(message, null, 2)} what={labels.fields} />
        </details>
      </Panel>
    </>
  );
}

function Sent({ messageId }: { messageId: string }) {
  const sent = useQuery({
    queryKey: ['message', messageId, 'request'],
    queryFn: async () => (await api.get('/messages/:messageId/request', { messageId })).data,
  });
  return <Shown of={sent}>{(data) => <Both sent={data} />}</Shown>;
}

function Both({ sent }: { sent: SentRequest }) {
  const { by, notes, request, response, textGone } = sent;
  if (request === null || response === null) {
    return <Notice tone="info" title={textGone ? labels.textGone : labels.gateway} />;
  }
  if (request.body === null || response.body === null) return <Notice tone="info" title={labels.notReader} />;
  const { keptUntil, requestId } = response;
  const answer = `HTTP/1.1 200 OK\nX-Request-Id: ${requestId}\nContent-Type: application/json\n\n${pretty(response.body)}`;
  return (
    <>
      <Panel
        title={labels.request}
        actions={<ApiRequest label={labels.curl} method="POST" path={request.path} body={JSON.parse(request.body)} />}
      >
        <p>{labels.by[by === 'portal' ? 'portal' : 'api']}</p>
        <Code text={`${head(request.path)}\n\n${pretty(request.body)}`} what={labels.request} />
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{labels.notes[note]}</li>
          ))}
        </ul>
      </Panel>
      <Panel
        title={labels.response}
        actions={
          <Link to="/requests/$requestId" params={{ requestId }}>
            {labels.open}
          </Link>
        }
      >
        <p>{response.kept ? labels.kept(keptUntil === null ? '' : momentText(keptUntil)) : labels.rebuilt}</p>
        <Code text={answer} what={labels.response} />
      </Panel>
    </>
  );
}

/** The tokens are placeholders, because they are not stored. */
function head(path: string): string {
  const lines = [`POST ${path}`, 'Authorization: Bearer ••••', 'X-Api-Key: ••••', 'Content-Type: application/json'];
  return lines.join('\n');
}

function pretty(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
