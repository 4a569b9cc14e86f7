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

const keyLabels = labelsOf('key');

interface Verdict {
  works: boolean;
  /** The pair has an IP list, which must contain the caller's address. */
  isListed: boolean;
  fault: string | null;
  sentence: string;
  bearer: { sentence: string };
  auth: { sentence: string };
}

export function TestCredentials() {
  const labels = keyLabels.test;
  const [tokens, setTokens] = useState({ bearerToken: '', authToken: '' });
  const test = useMutation({ mutationFn: async () => (await api.post('/keys/test', tokens)).data });
  const set = (changes: Partial<typeof tokens>): void => {
    setTokens({ ...tokens, ...changes });
    test.reset();
  };
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      <Form label={labels.title} onSubmit={() => test.mutate()}>
        <FormFault error={test.error} />
        <TextField
          label={keyLabels.bearer}
          value={tokens.bearerToken}
          onChange={(bearerToken) => set({ bearerToken })}
          autoComplete="off"
          spellCheck="false"
          mono
        />
        <TextField
          label={keyLabels.auth}
          value={tokens.authToken}
          onChange={(authToken) => set({ authToken })}
          autoComplete="off"
          spellCheck="false"
          mono
        />
        <div>
          <Button type="submit" isPending={test.isPending}>
            {labels.go}
          </Button>
        </div>
      </Form>
      <div role="status">{test.data !== undefined && <VerdictText verdict={test.data} />}</div>
    </Panel>
  );
}

function VerdictText({ verdict }: { verdict: Verdict }) {
  const labels = keyLabels.test;
  const works = verdict.isListed ? labels.worksFrom : labels.works;
  return (
    <Notice tone={verdict.works ? 'ok' : 'warn'} title={verdict.works ? works : labels.fails}>
      <div className={styles.verdict}>
        <p>{labels.faults[verdict.fault ?? ''] ?? verdict.sentence}</p>
        <p className={styles.muted}>
          {keyLabels.bearer}: {verdict.bearer.sentence}
        </p>
        <p className={styles.muted}>
          {keyLabels.auth}: {verdict.auth.sentence}
        </p>
      </div>
    </Notice>
  );
}
