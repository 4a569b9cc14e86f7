/** Name, note and tags of a telephone. Sends only changed fields, because others may be changing the rest. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextArea, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { phoneText } from '../../ui/Values';

const labels = labelsOf('contact');

interface Known {
  name: string;
  note: string;
  tags: readonly string[];
}

export function ContactDialog({ peer, known, onClose }: { peer: string; known: Known | null; onClose(): void }) {
  const client = useQueryClient();
  const [before] = useState({ name: known?.name ?? '', note: known?.note ?? '', tags: known?.tags.join(', ') ?? '' });
  const [form, setForm] = useState(before);
  const set = (name: keyof typeof form) => (value: string) => setForm({ ...form, [name]: value });
  const save = useMutation({
    mutationFn: () =>
      api.post('/contacts', {
        contact: peer,
        ...(form.name !== before.name && { name: form.name }),
        ...(form.note !== before.note && { note: form.note }),
        ...(form.tags !== before.tags && { tags: form.tags.split(/[,;]/) }),
      }),
    onSuccess: async () => {
      onClose();
      await Promise.all(
        ['conversation', 'conversations', 'contacts'].map((name) => client.invalidateQueries({ queryKey: [name] })),
      );
    },
  });
  return (
    <Dialog title={`${labels.title} · ${phoneText(peer)}`} open onClose={onClose}>
      <Form label={labels.title} onSubmit={() => save.mutate()}>
        <FormFault error={save.error} />
        <TextField label={labels.name} value={form.name} onChange={set('name')} maxLength={100} autoFocus />
        <TextArea label={labels.note} value={form.note} onChange={set('note')} maxLength={1_000} />
        <TextField
          label={labels.tags}
          help={labels.tagsHelp}
          value={form.tags}
          onChange={set('tags')}
          maxLength={450}
        />
        <DialogActions>
          <Button onPress={onClose}>{labels.cancel}</Button>
          <Button look="primary" type="submit" isPending={save.isPending}>
            {labels.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
