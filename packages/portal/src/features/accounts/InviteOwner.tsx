/** The first Owner of a company: an invitation whose link is shown once. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { Code } from '../../ui/Values';

const accountWords = labelsOf('account');
const copied = labelsOf('copied');

export function InviteOwner({ accountId }: { accountId: string }) {
  const words = accountWords.invite;
  const client = useQueryClient();
  const [form, setForm] = useState({ email: '', name: '' });
  const send = useMutation({
    mutationFn: async () => (await api.post('/accounts/:accountId/owner', form, { accountId })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: ['accounts'] }),
  });
  return (
    <Panel title={words.title}>
      <p>{words.what}</p>
      <Form onSubmit={() => send.mutate()} label={words.title}>
        <FormFault error={send.error} />
        <TextField
          label={words.email}
          type="email"
          value={form.email}
          onChange={(email) => setForm({ ...form, email })}
          fault={faultOf(send.error, 'email')}
          autoComplete="off"
        />
        <TextField
          label={words.name}
          value={form.name}
          onChange={(name) => setForm({ ...form, name })}
          fault={faultOf(send.error, 'name')}
          autoComplete="off"
        />
        <div>
          <Button type="submit" isPending={send.isPending}>
            {words.go}
          </Button>
        </div>
      </Form>
      {send.data !== undefined && (
        <Notice tone="ok" title={words.done}>
          <p>{words.once}</p>
          <Code text={send.data.link} what={copied.link} />
        </Notice>
      )}
    </Panel>
  );
}
