/** Adding an opt-out by hand, and removing one: both need a reason, which is stored. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select, TextArea, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { phoneText } from '../../ui/Values';
import { digitsOf, type OptOut, optOutFaults, reasonFault, reasonMax } from './opt-outs';

const optOutLabels = labelsOf('optOut');

/** The API names the field in its sentence. */
function faultAt(error: Error | null, field: string): string | undefined {
  return error?.message.startsWith(`${field} `) === true ? error.message : undefined;
}

export function AddDialog({ onClose }: { onClose(): void }) {
  const labels = optOutLabels.form;
  const client = useQueryClient();
  const [draft, setDraft] = useState({ contact: '', number: '', reason: '' });
  const set = (changes: Partial<typeof draft>): void => setDraft({ ...draft, ...changes });
  const send = useMutation({
    mutationFn: () => {
      const { contact, number, reason } = draft;
      return api.post('/opt-outs', { contact: digitsOf(contact), number: digitsOf(number), reason: reason.trim() });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['opt-outs'] });
      onClose();
    },
  });
  const [isTried, setTried] = useState(false);
  const own = optOutFaults(draft);
  const at = (field: keyof typeof draft) => (isTried ? own[field] : undefined) ?? faultAt(send.error, field);
  const submit = () => {
    setTried(true);
    if (Object.keys(own).length === 0) send.mutate();
  };
  return (
    <Dialog title={labels.title} open onClose={onClose}>
      <Form label={labels.title} onSubmit={submit}>
        <FormFault error={send.error} />
        <TextField
          label={labels.contact}
          help={labels.contactHelp}
          type="tel"
          value={draft.contact}
          onChange={(contact) => set({ contact })}
          fault={at('contact')}
          isRequired
          autoFocus
        />
        <OwnNumber value={draft.number} onChange={(number) => set({ number })} fault={at('number')} />
        <TextArea
          label={labels.reason}
          help={labels.reasonHelp}
          value={draft.reason}
          onChange={(reason) => set({ reason })}
          fault={at('reason')}
          maxLength={reasonMax}
          rows={2}
          isRequired
        />
        <DialogActions>
          <Button onPress={onClose}>{optOutLabels.cancel}</Button>
          <Button look="primary" type="submit" isPending={send.isPending}>
            {labels.go}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function OwnNumber({ value, onChange, fault }: { value: string; onChange(value: string): void; fault?: string }) {
  const labels = optOutLabels.form;
  const { environment } = useMe();
  const { data = [] } = useQuery({
    queryKey: ['numbers', 'choices'],
    queryFn: async () => (await api.get('/numbers')).data,
    retry: false,
  });
  const own = data.filter((one) => one.environment === environment);
  if (own.length === 0) {
    return (
      <TextField
        label={labels.from}
        help={labels.fromText}
        type="tel"
        value={value}
        onChange={onChange}
        fault={fault}
        isRequired
      />
    );
  }
  return (
    <Select
      label={labels.from}
      help={labels.fromHelp}
      value={value}
      onChange={onChange}
      fault={fault}
      choices={own.map(({ number }) => ({ value: number, label: phoneText(number) }))}
    />
  );
}

export function LiftDialog({ of, onClose }: { of: OptOut; onClose(): void }) {
  const labels = optOutLabels.lift;
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const own = reasonFault(reason);
  const send = useMutation({
    mutationFn: () => api.post('/opt-outs/remove', { contact: of.contact, scope: of.scope, reason: reason.trim() }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['opt-outs'] });
      onClose();
    },
  });
  const submit = () => {
    setTried(true);
    if (own === undefined) send.mutate();
  };
  const title = labels.title(phoneText(of.contact));
  return (
    <Dialog title={title} open onClose={onClose} urgent>
      <Form label={title} onSubmit={submit}>
        <FormFault error={send.error} />
        <p>{labels.what}</p>
        <p>{labels.law}</p>
        <TextArea
          label={labels.reason}
          help={optOutLabels.form.reasonHelp}
          value={reason}
          onChange={setReason}
          fault={(isTried ? own : undefined) ?? faultAt(send.error, 'reason')}
          maxLength={reasonMax}
          rows={2}
          isRequired
        />
        <DialogActions>
          <Button onPress={onClose}>{optOutLabels.cancel}</Button>
          <Button look="danger" type="submit" isPending={send.isPending}>
            {labels.go}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
