/** Checks pasted tokens and says which one is wrong. Only for signed-in people; the API never says. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import styles from './Keys.module.css';

const keyWords = labelsOf('key');

interface Verdict {
  works: boolean;
  /** The pair has an IP list, which must contain the caller's address. */
  isListed: boolean;
  sentence: string;
  bearer: { sentence: string };
  auth: { sentence: string };
}

export function TestCredentials() {
  const words = keyWords.test;
  const [tokens, setTokens] = useState({ bearerToken: '', authToken: '' });
  const test = useMutation({ mutationFn: async () => (await api.post('/keys/test', tokens)).data });
  const set = (changes: Partial<typeof tokens>): void => {
    setTokens({ ...tokens, ...changes });
    test.reset();
  };
  return (
    <Panel title={words.title}>
      <p>{words.what}</p>
      <Form label={words.title} onSubmit={() => test.mutate()}>
        <FormFault error={test.error} />
        <TextField
          label={keyWords.bearer}
          value={tokens.bearerToken}
          onChange={(bearerToken) => set({ bearerToken })}
          autoComplete="off"
          spellCheck="false"
          mono
        />
        <TextField
          label={keyWords.auth}
          value={tokens.authToken}
          onChange={(authToken) => set({ authToken })}
          autoComplete="off"
          spellCheck="false"
          mono
        />
        <div>
          <Button type="submit" isPending={test.isPending}>
            {words.go}
          </Button>
        </div>
      </Form>
      <div role="status">{test.data !== undefined && <Told verdict={test.data} />}</div>
    </Panel>
  );
}

function Told({ verdict }: { verdict: Verdict }) {
  const words = keyWords.test;
  const works = verdict.isListed ? words.worksFrom : words.works;
  return (
    <Notice tone={verdict.works ? 'ok' : 'warn'} title={verdict.works ? works : words.fails}>
      <div className={styles.verdict}>
        <p>{verdict.sentence}</p>
        <p className={styles.muted}>
          {keyWords.bearer}: {verdict.bearer.sentence}
        </p>
        <p className={styles.muted}>
          {keyWords.auth}: {verdict.auth.sentence}
        </p>
      </div>
    </Notice>
  );
}
