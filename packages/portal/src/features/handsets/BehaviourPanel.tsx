/** How a handset behaves towards the company's numbers: each change applies at once. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { api } from '../../api/client';
import type { HandsetSettings } from '../../api/routes/sandbox';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Field';
import { FormFault, Shown } from '../../ui/States';
import { FaultDialog } from './FaultDialog';
import styles from './Handsets.module.css';
import { autoReplyChoices, choiceOf, type HandsetBehaviour, receiptChoices } from './handsets';
import { behaviourQuery } from './queries';

const handsetLabels = labelsOf('handset');

const labels = handsetLabels.behaviour;

export const BehaviourPanel = memo(({ number }: { number: string }) => {
  const behaviour = useQuery(behaviourQuery(number));
  const [faultsOpen, setFaultsOpen] = useState(false);
  return (
    <section className={styles.behaviour} aria-label={labels.title}>
      <h3>{labels.title}</h3>
      <Shown of={behaviour} leads>
        {(now) => <Controls number={number} now={now} />}
      </Shown>
      <Button icon="warning" onPress={() => setFaultsOpen(true)}>
        {handsetLabels.trouble.open}
      </Button>
      <FaultDialog open={faultsOpen} onClose={() => setFaultsOpen(false)} />
    </section>
  );
});

function Controls({ number, now }: { number: string; now: HandsetBehaviour }) {
  const client = useQueryClient();
  const { power, inbox, receipt, autoReply } = now;
  const change = useMutation({
    mutationFn: (next: HandsetSettings) => {
      // A text that may not be read cannot be sent back either.
      const again = autoReply?.text == null ? null : { text: autoReply.text, afterMs: autoReply.afterMs };
      const body = { power, inbox, receipt, autoReply: again, ...next };
      return api.post('/sandbox/handsets/:number/behaviour', body, { number });
    },
    onSuccess: ({ data }) => client.setQueryData(behaviourQuery(number).queryKey, data),
  });
  const receiptNow = choiceOf(receiptChoices, receipt);
  const autoReplyNow = choiceOf(autoReplyChoices, autoReply);
  const ordinary = power === 'on' && inbox === 'space' && receiptNow === 'own' && autoReplyNow === 'own';
  return (
    <>
      <FormFault error={change.error} />
      <Select
        label={labels.power}
        value={power}
        onChange={(value) => change.mutate({ power: value as HandsetBehaviour['power'] })}
        choices={choicesOf(labels.powers)}
      />
      <Select
        label={labels.inbox}
        value={inbox}
        onChange={(value) => change.mutate({ inbox: value as HandsetBehaviour['inbox'] })}
        choices={choicesOf(labels.inboxes)}
      />
      <Select
        label={labels.receipt}
        value={receiptNow}
        onChange={(value) => {
          const chosen = receiptChoices.find(([name]) => name === value);
          if (chosen !== undefined) change.mutate({ receipt: chosen[1] });
        }}
        choices={choicesOf(labels.receipts, receiptNow)}
      />
      <Select
        label={labels.autoReply}
        value={autoReplyNow}
        onChange={(value) => {
          const chosen = autoReplyChoices.find(([name]) => name === value);
          if (chosen !== undefined) change.mutate({ autoReply: chosen[1] });
        }}
        choices={choicesOf(labels.autoReplies, autoReplyNow)}
      />
      {!ordinary && (
        <Button
          onPress={() => change.mutate({ power: 'on', inbox: 'space', receipt: null, autoReply: null })}
          isPending={change.isPending}
        >
          {labels.reset}
        </Button>
      )}
    </>
  );
}

/** `other` is offered only while it is the current setting. */
function choicesOf(names: Readonly<Record<string, string>>, now = ''): { value: string; label: string }[] {
  return Object.entries(names)
    .filter(([value]) => value !== 'other' || now === 'other')
    .map(([value, label]) => ({ value, label }));
}
