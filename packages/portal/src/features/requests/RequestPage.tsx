/**
 * One request by the id in its answer's `X-Request-Id`: the stored call (for people who manage keys), the same as curl
 * or as a dry run, and its messages.
 */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import type { ApiCallKept } from '../../api/routes/requests';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button } from '../../ui/Button';
import { Facts, Page, Panel } from '../../ui/Page';
import { Notice, Shown } from '../../ui/States';
import { Code, Copyable, ReasonLink, Time } from '../../ui/Values';
import type { Listed } from '../messages/message-data';
import { Recipients } from '../messages/Recipients';
import { CallStatus } from './CallStatus';
import { DryRun, type Replay } from './DryRun';
import { KeyLink } from './RequestsPage';
import { refilled } from './requests';

const messageLabels = labelsOf('message');
const requestsLabels = labelsOf('requests');
const copied = labelsOf('copied');

const labels = requestsLabels.one;

export function RequestPage() {
  const { requestId } = useParams({ strict: false }) as { requestId: string };
  const mayLog = useMay('manageKeys');
  const request = useQuery({
    queryKey: ['messages', 'request', requestId],
    queryFn: async () => (await api.get('/requests/:requestId', { requestId })).data,
  });
  const up = mayLog
    ? { label: requestsLabels.title, to: '/requests' }
    : { label: messageLabels.title, to: '/messages' };
  return (
    <Page title={labels.title} crumbs={[up, { label: labels.title }]}>
      <Copyable value={requestId} what={copied.requestId} />
      <Shown of={request}>
        {({ messages, refused, call }) => (
          <>
            {call !== null && <CallFacts of={call} />}
            {mayLog && call === null && <Notice tone="info" title={labels.notKept} />}
            <Body call={call} message={messages.find(({ direction }) => direction === 'outbound') ?? null} />
            {messages.length > 0 ? (
              <Panel title={labels.messages}>
                <Recipients caption={labels.messages} messages={messages} refused={refused} />
              </Panel>
            ) : (
              <p>{labels.noMessages}</p>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}

function CallFacts({ of }: { of: ApiCallKept }) {
  const { at, method, path, status, reason, detail, ip, ms, dryRun } = of;
  return (
    <Panel title={labels.call}>
      {dryRun && <Notice tone="info" title={labels.isDryRun} />}
      <Facts
        facts={[
          [labels.line, <code key="call">{`${method} ${path}`}</code>],
          [labels.when, <Time key="at" at={at} form="exact" />],
          [
            labels.answer,
            <span key="answer">
              <CallStatus status={status} /> <ReasonLink code={reason} />
            </span>,
          ],
          ...(detail === '' ? [] : [[labels.said, detail] as const]),
          [labels.key, <KeyLink key="key" of={of} />],
          [labels.ip, <code key="ip">{ip}</code>],
          [labels.took, labels.ms(ms)],
        ]}
      />
    </Panel>
  );
}

/** The body: rebuilt if its message is stored, else as stored in the log. */
function Body({ call, message }: { call: ApiCallKept | null; message: Listed | null }) {
  const messageId = message?.messageId ?? '';
  const sent = useQuery({
    queryKey: ['message', messageId, 'request'],
    enabled: messageId !== '',
    queryFn: async () => (await api.get('/messages/:messageId/request', { messageId })).data,
  });
  const rebuilt = sent.data?.request?.body ?? null;
  if (messageId !== '' && sent.isPending) return null;
  if (rebuilt !== null) {
    return <Shape method="POST" path="/SendSMS" note={labels.rebuilt} text={rebuilt} curl={JSON.parse(rebuilt)} />;
  }
  if (call === null) return null;
  const { method, path, redacted, bodyBytes } = call;
  if (redacted !== null) {
    const curl = refilled(redacted, labels.textPlaceholder).body;
    return <Shape method={method} path={path} note={labels.redacted} text={redacted} curl={curl} />;
  }
  return (
    <Shape
      method={method}
      path={path}
      note={bodyBytes === 0 ? labels.noBody : labels.bodyUnkept(bodyBytes)}
      text={null}
    />
  );
}

function Shape({
  method,
  path,
  note,
  text,
  curl,
}: {
  method: string;
  path: string;
  note: string;
  /** JSON. */
  text: string | null;
  curl?: unknown;
}) {
  const [replay, setReplay] = useState<Replay | null>(null);
  const maySend = useMay('send');
  const canReplay = maySend && path === '/SendSMS' && method === 'POST' && text !== null;
  const verb = method === 'POST' || method === 'PATCH' || method === 'DELETE' ? method : 'GET';
  return (
    <>
      <Panel
        title={labels.body}
        actions={
          <>
            <ApiRequest label={labels.curl} method={verb} path={path} body={curl} />
            {canReplay && (
              <Button onPress={() => setReplay(refilled(text, () => ''))} aria-expanded={replay !== null}>
                {labels.replay}
              </Button>
            )}
          </>
        }
      >
        <p>{note}</p>
        {text !== null && <Code text={JSON.stringify(JSON.parse(text), null, 2)} what={labels.body} />}
      </Panel>
      {replay !== null && <DryRun of={replay} onClose={() => setReplay(null)} />}
    </>
  );
}
