/** Injects faults into the simulated link, to see how the gateway and one's own programs handle them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import styles from './Handsets.module.css';
import { faultsText, noFaults, type SandboxFaults } from './handsets';
import { faultsQuery, linksUpQuery } from './queries';

const handsetLabels = labelsOf('handset');

const labels = handsetLabels.trouble;

export function FaultDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const { data = noFaults } = useQuery(faultsQuery);
  const [done, setDone] = useState<DoneNow | null>(null);
  const close = () => {
    setDone(null);
    onClose();
  };
  return (
    <Dialog title={labels.title} open={open} onClose={close}>
      {done === null ? (
        <FaultForm now={data} onDone={setDone} />
      ) : (
        <Done of={done} onAgain={() => setDone(null)} onClose={close} />
      )}
    </Dialog>
  );
}

interface DoneNow {
  now: SandboxFaults;
  dropped: boolean;
}

/** The result, until the person has read it. */
function Done({ of: { now, dropped }, onAgain, onClose }: { of: DoneNow; onAgain(): void; onClose(): void }) {
  const link = now.refuseBind ? labels.droppedRefused : labels.dropped;
  const links = useQuery({ ...linksUpQuery, enabled: now.refuseBind && !dropped });
  return (
    <>
      <div role="status">
        <Notice tone="ok" title={labels.done(faultsText(now, dropped ? null : links.data))}>
          {dropped ? link : undefined}
        </Notice>
      </div>
      <DialogActions>
        <Button onPress={onAgain}>{labels.again}</Button>
        <Button look="primary" autoFocus onPress={onClose}>
          {labels.ok}
        </Button>
      </DialogActions>
    </>
  );
}

/** Numbers as they are typed. */
const fieldsOf = (faults: SandboxFaults) => ({
  throttlePerSecond: faults.throttlePerSecond === null ? '' : String(faults.throttlePerSecond),
  loseReceiptsPercent: String(faults.loseReceiptsPercent),
  answerAfterMs: String(faults.answerAfterMs),
  errorPercent: String(faults.errorPercent),
});
type Fields = ReturnType<typeof fieldsOf>;
const maxima: Readonly<Record<keyof Fields, number>> = {
  throttlePerSecond: 1_000,
  loseReceiptsPercent: 100,
  answerAfterMs: 60_000,
  errorPercent: 100,
};

function faultOfField(name: keyof Fields, typed: string): string | undefined {
  if (name === 'throttlePerSecond' && typed.trim() === '') return undefined;
  const fits = /^\d{1,6}$/.test(typed.trim()) && Number(typed) <= maxima[name];
  return fits ? undefined : labels.whole(maxima[name]);
}

function FaultForm({ now, onDone }: { now: SandboxFaults; onDone(done: DoneNow): void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState(fieldsOf(now));
  const [flags, setFlags] = useState({
    refuseBind: now.refuseBind,
    duplicateReceipts: now.duplicateReceipts,
    receiptFirst: now.receiptFirst,
  });
  const [dropToo, setDropToo] = useState(true);
  const [tried, setTried] = useState(false);
  const put = useMutation({
    mutationFn: (faults: Partial<SandboxFaults> & { dropLink?: boolean }) => api.post('/sandbox/faults', faults),
    onSuccess: ({ data }, { dropLink = false }) => {
      client.setQueryData(faultsQuery.queryKey, data);
      onDone({ now: data, dropped: dropLink });
      return client.invalidateQueries({ queryKey: linksUpQuery.queryKey });
    },
  });

  function apply(): void {
    setTried(true);
    if (Object.entries(fields).some(([name, typed]) => faultOfField(name as keyof Fields, typed) !== undefined)) return;
    const { throttlePerSecond, ...others } = fields;
    const numbers = Object.fromEntries(Object.entries(others).map(([name, typed]) => [name, Number(typed)]));
    const throttle = throttlePerSecond.trim() === '' ? null : Number(throttlePerSecond);
    const dropLink = flags.refuseBind && dropToo;
    put.mutate({ ...flags, ...numbers, throttlePerSecond: throttle, ...(dropLink && { dropLink }) });
  }

  const number = (name: keyof Fields, label: string, help?: string) => {
    const fault = tried ? faultOfField(name, fields[name]) : undefined;
    return (
      <TextField
        label={label}
        inputMode="numeric"
        value={fields[name]}
        onChange={(value) => setFields({ ...fields, [name]: value })}
        {...(help !== undefined && { help })}
        {...(fault !== undefined && { fault })}
      />
    );
  };
  const flag = (name: keyof typeof flags, label: string) => (
    <Checkbox isSelected={flags[name]} onChange={(value) => setFlags({ ...flags, [name]: value })}>
      {label}
    </Checkbox>
  );

  return (
    <Form label={labels.title} onSubmit={apply}>
      <p>{labels.detail}</p>
      <FormFault error={put.error} />
      {flag('refuseBind', labels.refuseBind)}
      {flags.refuseBind && (
        <div className={styles.beneath}>
          <p>{labels.refuseBindHelp}</p>
          <Checkbox isSelected={dropToo} onChange={setDropToo}>
            {labels.dropToo}
          </Checkbox>
        </div>
      )}
      {number('throttlePerSecond', labels.throttle, labels.throttleHelp)}
      {number('loseReceiptsPercent', labels.lose)}
      {flag('duplicateReceipts', labels.duplicate)}
      {number('answerAfterMs', labels.late)}
      {flag('receiptFirst', labels.receiptFirst)}
      {number('errorPercent', labels.errors)}
      <DialogActions>
        <Button look="danger" onPress={() => put.mutate({ ...now, dropLink: true })}>
          {labels.dropLink}
        </Button>
        <Button onPress={() => put.mutate({})}>{labels.allOff}</Button>
        <Button look="primary" type="submit" isPending={put.isPending}>
          {labels.apply}
        </Button>
      </DialogActions>
    </Form>
  );
}
