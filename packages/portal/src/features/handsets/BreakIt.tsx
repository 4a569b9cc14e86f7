/** Four failures by one click each, with a link to where each shows; reversible ones are undone by one click too. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { type Failure, failures } from './failures';
import styles from './Games.module.css';

const labels = labelsOf('game').breakIt;

interface Sent {
  resultResponses: { messageId?: string | null }[];
}

export function BreakIt({ first }: { first: { from: string; to: string } }) {
  // Each undoes the others.
  const [latest, setLatest] = useState<Failure['id'] | null>(null);
  return (
    <Panel title={labels.title}>
      <p className={styles.muted}>{labels.what}</p>
      <ul className={styles.failures}>
        {failures.map((failure) => (
          <One
            key={failure.id}
            failure={failure}
            first={first}
            overtaken={latest !== failure.id}
            onAct={() => setLatest(failure.id)}
          />
        ))}
      </ul>
    </Panel>
  );
}

function One({
  failure,
  first,
  overtaken,
  onAct,
}: {
  failure: Failure;
  first: { from: string; to: string };
  /** A later failure has undone this one. */
  overtaken: boolean;
  onAct(): void;
}) {
  const { id } = failure;
  const texts = labels.failures[id];
  const client = useQueryClient();
  const refresh = () => {
    for (const queryKey of [['home'], ['behaviour', first.to]]) void client.invalidateQueries({ queryKey });
  };
  const act = useMutation({
    mutationFn: async () => {
      onAct();
      await failure.cause(api, first);
      if (!failure.thenText) return null;
      const body = { from: first.from, to: [first.to], text: labels.text };
      const { schema } = (await api.post('/send', body)) as unknown as { schema: Sent };
      return schema.resultResponses[0]?.messageId ?? null;
    },
    onSettled: refresh,
  });
  const undo = useMutation({
    mutationFn: () => failure.undo!(api, first),
    onSuccess: () => act.reset(),
    onSettled: refresh,
  });
  const undone = failure.undo !== null && (overtaken ? act.isSuccess || undo.isSuccess : undo.isSuccess && act.isIdle);
  const caused = act.isSuccess && !undone;
  return (
    <li>
      <div>
        <span className={styles.title}>{texts.title}</span>
        <p className={styles.muted}>{texts.detail}</p>
      </div>
      <div className={styles.failureActions}>
        <Button onPress={() => act.mutate()} isPending={act.isPending}>
          {texts.act}
        </Button>
        {caused && failure.undo !== null && (
          <Button look="quiet" onPress={() => undo.mutate()} isPending={undo.isPending}>
            {texts.undo}
          </Button>
        )}
      </div>
      <FormFault error={act.error ?? undo.error} />
      <p role="status" className={styles.where}>
        {caused && (
          <>
            {texts.after} <Where failure={failure} messageId={act.data} handset={first.to} />
          </>
        )}
        {undone && texts.undone}
      </p>
    </li>
  );
}

function Where({ failure, messageId, handset }: { failure: Failure; messageId: string | null; handset: string }) {
  const { look } = labels.failures[failure.id];
  if (messageId !== null) {
    return (
      <Link to="/messages/$messageId" params={{ messageId }}>
        {look}
      </Link>
    );
  }
  if (failure.look === 'handset') {
    return (
      <Link to="/handsets/$number" params={{ number: handset }}>
        {look}
      </Link>
    );
  }
  return <Link to={failure.look}>{look}</Link>;
}
