/** A bulk action on the results of a search: counted first, confirmed, and its results by reason. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select, TextField } from '../../ui/Field';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { ReasonLink } from '../../ui/Values';
import { useReasons } from '../reasons/reasons';
import styles from './Messages.module.css';

const labels = labelsOf('bulk');

export type BulkAction = 'resend' | 'cancel';
type Way = 'same' | 'fresh';

interface Preview {
  messageIds: string[];
  states: { state: string; count: number }[];
  /** The messages left out, and why. */
  left: { code: string; count: number }[];
  more: boolean;
  runId: string;
  typedAbove: number;
  messagesMax: number;
}

interface Ran {
  count: number;
  done: number;
  reasons: { code: string; detail: string; count: number }[];
}

export function BulkDialog({ q, action, onClose }: { q: string; action: BulkAction; onClose(): void }) {
  const [way, setWay] = useState<Way>('same');
  const [typed, setTyped] = useState('');
  const preview = useQuery({
    queryKey: ['message-bulk', action, way, q],
    queryFn: async () => (await api.post('/messages/bulk/preview', { action, way, q })).data,
    // The confirmed messages are the counted ones.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const run = useMutation({
    mutationFn: async ({ messageIds, runId }: Preview) =>
      (await api.post('/messages/bulk', { action, way, q, messageIds, runId, typed })).data,
  });
  return (
    <Dialog title={action === 'resend' ? labels.resendTitle : labels.cancelTitle} open wide urgent onClose={onClose}>
      {run.data !== undefined ? (
        <Result ran={run.data} action={action} onClose={onClose} />
      ) : (
        <div className={styles.choices}>
          <p>
            {labels.of}: <code>{q === '' ? labels.everything : q}</code>
          </p>
          {action === 'resend' && (
            <Select
              label={labels.way}
              value={way}
              onChange={(value) => setWay(value as Way)}
              choices={Object.entries(labels.ways).map(([value, label]) => ({ value, label }))}
            />
          )}
          {preview.isError ? (
            <>
              <FormFault error={preview.error} />
              <DialogActions>
                <Button onPress={onClose}>{labels.back}</Button>
              </DialogActions>
            </>
          ) : (
            <Shown of={preview} rows={3}>
              {(found) => (
                <>
                  <Found preview={found} action={action} />
                  <FormFault error={run.error} />
                  {found.messageIds.length > found.typedAbove && (
                    <TextField
                      label={labels.typed(found.messageIds.length)}
                      inputMode="numeric"
                      value={typed}
                      onChange={setTyped}
                      fault={faultOf(run.error, 'typed')}
                    />
                  )}
                  <DialogActions>
                    <Button onPress={onClose}>{labels.back}</Button>
                    {found.messageIds.length > 0 && (
                      <Button look="danger" isPending={run.isPending} onPress={() => run.mutate(found)}>
                        {labels.go[action](found.messageIds.length)}
                      </Button>
                    )}
                  </DialogActions>
                </>
              )}
            </Shown>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Found({ preview, action }: { preview: Preview; action: BulkAction }) {
  const { messageIds, states, left, more, messagesMax } = preview;
  const count = messageIds.length;
  return (
    <>
      <p role="status">
        <strong>{count === 0 ? labels.none[action] : labels.count[action](count)}</strong>
      </p>
      {count > 0 && (
        <p>
          {labels.states}: {states.map((one) => labels.state(one.state, one.count)).join(', ')}.
        </p>
      )}
      {left.length > 0 && (
        <div>
          <p>{labels.left}:</p>
          <ul>
            {left.map(({ code, count: leftOut }) => (
              <li key={code}>{labels.leftLine(leftOut, labels.leftReasons[code] ?? code)}</li>
            ))}
          </ul>
        </div>
      )}
      {more && <Notice tone="warn" title={labels.more(messagesMax)} />}
      {count > 0 && <p>{labels.consequence[action]}</p>}
    </>
  );
}

function Result({ ran, action, onClose }: { ran: Ran; action: BulkAction; onClose(): void }) {
  const known = useReasons().data;
  const { count, done, reasons } = ran;
  return (
    <>
      <Notice tone={done === count ? 'ok' : done === 0 ? 'bad' : 'warn'} title={labels.done[action](done, count)} />
      {reasons.length > 0 && (
        <Table
          caption={labels.reasons}
          rows={reasons}
          keyOf={({ code }) => code}
          columns={[
            { id: 'count', title: labels.howMany, figures: true, cell: (row) => row.count },
            {
              id: 'reason',
              title: labels.reason,
              cell: ({ code }) =>
                known?.some((one) => one.code === code) === true ? <ReasonLink code={code} /> : <code>{code}</code>,
            },
            { id: 'detail', title: labels.how, cell: ({ detail }) => detail },
          ]}
        />
      )}
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {labels.close}
        </Button>
      </DialogActions>
    </>
  );
}
