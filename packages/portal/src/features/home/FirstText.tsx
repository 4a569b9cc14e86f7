/** The first request, to copy in four languages or to send at once, and the unchanged answer. */

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { answered, api, reached } from '../../api/client';
import { patienceMs } from '../../api/patience';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Row } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { Code } from '../../ui/Values';
import styles from './Home.module.css';
import type { Home } from './home-data';
import { bodyOf, type Language, languages, masked, snippet } from './snippets';

interface Pair {
  bearerToken: string;
  authToken: string;
}

/** As received. */
interface RawAnswer {
  /** `HTTP/1.1 200`, or without the version if it is unknown. */
  status: string;
  requestId: string | null;
  body: string;
}

/** To the public API with both credentials; for people who may not read the seeded pair, with the session instead. */
async function sendFirst(body: ReturnType<typeof bodyOf>, pair: Pair | null): Promise<RawAnswer> {
  if (pair === null) return { status: '200', requestId: null, body: JSON.stringify(await api.post('/send', body)) };
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.bearerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit' as const,
  };
  const path = '/SendSMS';
  return answered({ method: 'POST', path, ms: patienceMs.write }, async (signal) => {
    const endpoint = `${path}?apikey=${encodeURIComponent(pair.authToken)}`;
    const response = await reached(fetch(endpoint, { ...init, signal }));
    return {
      status: `${response.status} ${response.statusText}`.trim(),
      requestId: response.headers.get('x-request-id'),
      body: await response.text(),
    };
  });
}

const homeLabels = labelsOf('home');
const labels = homeLabels.send;
const { text } = labels;

/** Kept only while the page is open, because it is secret. Read once: each read may require the password. */
const pairQuery = queryOptions({
  queryKey: ['home-pair'],
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await api.get('/home/pair')).data,
});

export function FirstText({ first, pair }: Pick<Home, 'first' | 'pair'>) {
  const { baseUrl } = useMe();
  const maySend = useMay('send');
  const client = useQueryClient();
  const [language, setLanguage] = useState<Language>('curl');
  const [revealed, setRevealed] = useState(false);
  const tokens = useQuery({ ...pairQuery, enabled: revealed });
  const readPair = () => client.fetchQuery(pairQuery);
  const send = useMutation({
    mutationFn: async (body: ReturnType<typeof bodyOf>) => sendFirst(body, pair ? await readPair() : null),
    onSettled: () => client.invalidateQueries({ queryKey: ['home'] }),
  });
  if (first === null) return <Notice tone="warn" title={labels.noNumber} />;
  if (first.to === null) {
    return (
      <Notice
        tone="info"
        title={labels.live}
        actions={maySend && <LinkButton to="/messages/new">{labels.liveWrite}</LinkButton>}
      />
    );
  }
  const facts = { from: first.from, to: first.to, text, baseUrl };
  const known = revealed ? tokens.data : undefined;
  const reveal = () => {
    setRevealed(known === undefined);
    // Asks again if the password was not given at the first press.
    if (revealed && tokens.isError) void tokens.refetch();
  };
  const shown: Pair =
    known ??
    (pair
      ? { bearerToken: masked('bt_sbx_'), authToken: masked('at_sbx_') }
      : { bearerToken: 'BEARER_TOKEN', authToken: 'AUTH_TOKEN' });
  return (
    <div className={styles.first}>
      <Row>
        <ToggleButtonGroup
          aria-label={labels.languages}
          className={styles.languages}
          disallowEmptySelection
          selectedKeys={[language]}
          onSelectionChange={(keys) => setLanguage([...keys][0] as Language)}
        >
          {languages.map((one) => (
            <ToggleButton key={one} id={one} className={styles.language}>
              {one}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        {pair && <Button onPress={reveal}>{known === undefined ? labels.reveal : labels.hide}</Button>}
        {maySend && (
          <Button look="primary" icon="sending" isPending={send.isPending} onPress={() => send.mutate(bodyOf(facts))}>
            {labels.now}
          </Button>
        )}
      </Row>
      <Code
        text={snippet(language, { ...facts, ...shown })}
        what={labels.title}
        {...(pair && { copied: async () => snippet(language, { ...facts, ...(await readPair()) }) })}
      />
      {known === undefined && <p className={styles.muted}>{pair ? labels.masked : labels.noPair}</p>}
      <FormFault error={send.error ?? tokens.error} />
      {send.data !== undefined && (
        <div role="status" className={styles.response}>
          <p className={styles.stepTitle}>{labels.response}</p>
          <p className={styles.muted}>
            HTTP {send.data.status}
            {send.data.requestId !== null && ` · X-Request-Id: ${send.data.requestId}`}
          </p>
          <Code text={send.data.body} what={labels.response} />
          <Link to="/handsets/$number" params={{ number: first.to }}>
            {labels.arrives}
          </Link>
        </div>
      )}
    </div>
  );
}
