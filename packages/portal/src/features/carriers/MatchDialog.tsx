/** Assigns a receipt to a message: the candidates with the evidence for and against each, a choice, a confirmation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { Empty, FormFault, Shown } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { Phone, Time } from '../../ui/Values';
import styles from './Carriers.module.css';
import { type Candidate, type KeptReceipt, nameOf, useCandidates } from './kept-receipts';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.match;

export function MatchDialog({
  of,
  onClose,
  onDone,
}: {
  of: KeptReceipt;
  onClose(): void;
  onDone(notice: string): void;
}) {
  const [chosen, choose] = useState<Candidate | null>(null);
  const [messageId, setMessageId] = useState('');
  if (chosen !== null) return <Confirm of={of} chosen={chosen} onBack={() => choose(null)} onDone={onDone} />;
  return (
    <Dialog title={labels.title} open onClose={onClose} wide>
      <p className={styles.muted}>{labels.raw}</p>
      <p className={styles.raw}>{of.raw}</p>
      <Candidates key={messageId} of={of} messageId={messageId} choose={choose} />
      <ById messageId={messageId} look={setMessageId} />
      <DialogActions>
        <Button onPress={onClose}>{carrierLabels.cancel}</Button>
      </DialogActions>
    </Dialog>
  );
}

function ById({ messageId, look }: { messageId: string; look(messageId: string): void }) {
  const [entry, setEntry] = useState(messageId);
  return (
    <Form onSubmit={() => look(entry.trim())}>
      <TextField label={labels.byId} help={labels.byIdHelp} value={entry} onChange={setEntry} />
      <div className={styles.figures}>
        <Button type="submit">{labels.look}</Button>
        {messageId !== '' && (
          <Button
            look="quiet"
            onPress={() => {
              setEntry('');
              look('');
            }}
          >
            {labels.all}
          </Button>
        )}
      </div>
    </Form>
  );
}

function Candidates(props: { of: KeptReceipt; messageId: string; choose(candidate: Candidate): void }) {
  const { of, messageId, choose } = props;
  const found = useCandidates(of, messageId);
  return (
    <Shown of={found}>
      {(list) =>
        list.length === 0 ? (
          messageId === '' ? (
            <Empty title={labels.nothing}>{labels.nothingDetail}</Empty>
          ) : (
            <Empty title={labels.noSuch} />
          )
        ) : (
          <>
            <p>{labels.offered(list.length)}</p>
            <ul className={styles.steps}>
              {list.map((one) => (
                <Offer key={`${one.messageId} ${one.part}`} of={one} choose={() => choose(one)} />
              ))}
            </ul>
          </>
        )
      }
    </Shown>
  );
}

const looks = {
  for: { tone: 'ok', icon: 'check' },
  against: { tone: 'bad', icon: 'cross' },
  neither: { tone: 'neutral', icon: 'info' },
} as const;

function Offer({ of, choose }: { of: Candidate; choose(): void }) {
  return (
    <li className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.words}>
          <code>{of.messageId}</code> {of.partCount > 1 && labels.part(of.part, of.partCount)}
        </span>
        <StatusBadge state={of.state} />
      </div>
      <p className={styles.muted}>
        {of.accountName} · <Phone digits={of.from} /> → <Phone digits={of.to} /> · {labels.sent}{' '}
        <Time at={of.handedOverAt} /> · {labels.id} <code>{of.carrierMessageId || labels.noId}</code>
      </p>
      <ul className={styles.steps} aria-label={labels.why}>
        {of.clues.map(({ speaks, what, byMs }) => (
          <li key={what} className={styles.step}>
            <Badge {...looks[speaks]} word={labels.speaks[speaks]} />
            <span className={styles.words}>
              {labels.clues[what]} {byMs !== undefined && labels.by(byMs)}
            </span>
          </li>
        ))}
      </ul>
      {of.refusal === null ? (
        <div>
          <Button onPress={choose}>
            {labels.choose} <span className="visually-hidden">{labels.chooseThis(of.messageId)}</span>
          </Button>
        </div>
      ) : (
        <p className={styles.words}>
          <strong>{labels.cannot}</strong> {of.refusal}
        </p>
      )}
    </li>
  );
}

function Confirm(props: { of: KeptReceipt; chosen: Candidate; onBack(): void; onDone(notice: string): void }) {
  const { of, chosen, onBack, onDone } = props;
  const client = useQueryClient();
  const { messageId, part, state } = chosen;
  const send = useMutation({
    mutationFn: () => api.post('/unmatched/match', { receipt: nameOf(of), messageId, part }),
    onSuccess: async ({ detail }) => {
      onDone(detail);
      await client.invalidateQueries({ queryKey: ['carriers'] });
    },
  });
  return (
    <Dialog title={labels.confirm.title} open onClose={onBack} urgent>
      <FormFault error={send.error} />
      <p className={styles.raw}>{of.raw}</p>
      <p className={styles.words}>{labels.confirm.consequence(messageId, of.state, state)}</p>
      <DialogActions>
        <Button onPress={onBack}>{labels.confirm.back}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {labels.confirm.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
