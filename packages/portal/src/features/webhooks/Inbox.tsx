/** The sandbox's own receiver: its webhooks, whether each signature was valid, and how it answers. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Select } from '../../ui/Field';
import { Choices } from '../../ui/Page';
import { Empty, Fault, FormFault, Notice, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Code, Time } from '../../ui/Values';
import { type Again, againOf } from './again';
import { SignatureShown, type Verdict } from './SignatureShown';
import styles from './Webhooks.module.css';
import { prettyBody } from './webhooks';

const webhookLabels = labelsOf('webhook');
const copied = labelsOf('copied');

const labels = webhookLabels.inbox;
const againMs = 3_000;
/** The inbox stores 500, and returns 100 at a time. */
const pagesMax = 5;

interface Received {
  id: string;
  receivedAt: string;
  headers: Record<string, string>;
  /** Null for people who may not read texts. */
  body: string | null;
  signature: Verdict & { skewSeconds: number | null };
  answered: number;
}

/** All stored webhooks, newest first. */
async function received(): Promise<Received[]> {
  const all: Received[] = [];
  let after: string | null = null;
  for (let page = 0; page < pagesMax; page++) {
    const { data, next }: { data: Received[]; next?: string | null } = await api.get('/sandbox/webhooks', {
      query: { after },
    });
    all.push(...data);
    if (next == null) break;
    after = next;
  }
  return all.reverse();
}

export function Inbox() {
  const mayManage = useMay('manageWebhooks');
  const inbox = useQuery({ queryKey: ['inbox'], queryFn: received, refetchInterval: againMs });
  if (inbox.error instanceof ApiError && inbox.error.status === 404) return <Fault error={inbox.error} />;
  return (
    <div className={styles.stack}>
      <p>{labels.what}</p>
      {mayManage && <HowItAnswers />}
      <Shown of={inbox}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={labels.empty.title}>{labels.empty.detail}</Empty>
          ) : (
            <>
              <p>{labels.count(list.length)}</p>
              {list.map((one, index) => (
                <Entry key={one.id} of={one} again={againOf(one, list.slice(index + 1))} />
              ))}
            </>
          )
        }
      </Shown>
    </div>
  );
}

const answers = [
  { value: '200', label: labels.answers[200], sent: { status: 200 } },
  { value: '500', label: labels.answers[500], sent: { status: 500 } },
  { value: '410', label: labels.answers[410], sent: { status: 410 } },
  { value: 'slow', label: labels.slow, sent: { status: 200, delayMs: 20_000 } },
] as const;

const answerKey = ['inbox-answer'] as const;

/** The current setting; one set through the API may not be in the list. */
function HowItAnswers() {
  const client = useQueryClient();
  const now = useQuery({
    queryKey: answerKey,
    queryFn: async () => (await api.get('/sandbox/webhooks/answer')).data,
    refetchInterval: againMs,
  });
  const send = useMutation({
    mutationFn: (value: string) =>
      api.post('/sandbox/webhooks/answer', answers.find((one) => one.value === value)?.sent ?? {}),
    onSuccess: ({ data }) => client.setQueryData(answerKey, data),
  });
  if (now.data === undefined) return null;
  const { status, delayMs } = now.data;
  const known = answers.find(
    ({ sent }) => sent.status === status && ('delayMs' in sent ? sent.delayMs : 0) === delayMs,
  );
  return (
    <>
      <FormFault error={send.error} />
      <Choices>
        <Select
          label={labels.answer}
          help={labels.answerHelp}
          value={known?.value ?? 'other'}
          onChange={(value) => {
            if (value !== 'other') send.mutate(value);
          }}
          choices={
            known === undefined ? [...answers, { value: 'other', label: labels.other(status, delayMs) }] : answers
          }
        />
      </Choices>
      <div role="status">{send.data !== undefined && <Notice tone="ok" title={send.data.detail} />}</div>
    </>
  );
}

function Entry({
  of: { receivedAt, headers, body, signature, answered },
  again,
}: {
  of: Received;
  again: Again | null;
}) {
  const { type } = typeof body === 'string' ? (readType(body) ?? { type: 'flat' }) : { type: '' };
  return (
    <details className={styles.entry}>
      <summary>
        <Time at={receivedAt} />
        <code>{type}</code>
        {again !== null && <Badge tone="info" icon="info" word={labels.again[again]} />}
        <SignatureShown of={signature} skewSeconds={signature.skewSeconds} />
        <span className={styles.muted}>{labels.answered(answered)}</span>
      </summary>
      <div>
        <div className={styles.pair}>
          <div className={styles.stack}>
            <h3>{labels.headers}</h3>
            <Code
              text={Object.entries(headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
              what={copied.headers}
            />
          </div>
          {body !== null && (
            <div className={styles.stack}>
              <h3>{labels.body}</h3>
              <Code text={prettyBody(body)} what={copied.body} />
            </div>
          )}
        </div>
      </div>
    </details>
  );
}

/** The type in a body of the standard format. */
function readType(body: string): { type: string } | null {
  try {
    const { type } = JSON.parse(body) as { type?: unknown };
    return typeof type === 'string' ? { type } : null;
  } catch {
    return null;
  }
}
