/** Adds a company or changes one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox, Select, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { accountWords } from '../../words/en/accounts';
import type { Account } from './accounts';
import { PriceRows } from './PriceRows';
import { isFaultless, priceFaults, ratesOf, rowsOf } from './price-book';

const words = accountWords.form;

export function AccountForm({ of, onClose }: { of: Account | null; onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [form, setForm] = useState({
    ...{ name: of?.name ?? '', destinations: of?.destinations.join(', ') ?? 'US, CA' },
    ...{ requestsPerSecond: String(of?.requestsPerSecond ?? 0), uncertainPolicy: of?.uncertainPolicy ?? 'resend' },
    ...{ smartEncoding: of?.smartEncoding ?? false, mmsFallback: of?.mmsFallback ?? 'none' },
    ...{ supportContact: of?.supportContact ?? '' },
  });
  const [prices, setPrices] = useState(() => rowsOf(of?.rates));
  const [tried, setTried] = useState(false);
  const faults = priceFaults(prices);
  const set = (field: keyof typeof form) => (value: string | boolean) => setForm({ ...form, [field]: value });
  const send = useMutation({
    mutationFn: () => {
      const { requestsPerSecond, destinations } = form;
      const record = {
        ...form,
        rates: ratesOf(prices),
        destinations: destinations.split(/[\s,]+/).filter((one) => one !== ''),
        requestsPerSecond: /^\d+$/.test(requestsPerSecond) ? Number(requestsPerSecond) : requestsPerSecond,
      };
      return of === null
        ? api.post<{ accountId: string }>('/accounts', { record })
        : api.post<{ accountId: string }>(`/accounts/${of.accountId}`, { record, version: of.version });
    },
    onSuccess: async ({ data }) => {
      await Promise.all(['accounts', 'company', 'usage'].map((area) => client.invalidateQueries({ queryKey: [area] })));
      onClose();
      if (of === null) void navigate({ to: '/accounts/$accountId', params: { accountId: data.accountId } });
    },
  });
  const { error } = send;
  const text = (name: 'name' | 'destinations' | 'requestsPerSecond' | 'supportContact') => ({
    ...{ value: form[name], onChange: set(name), fault: faultOf(error, name) },
  });
  const isConflict = error instanceof ApiError && error.reason === 'CONFLICT';
  return (
    <Dialog title={of === null ? words.addTitle : words.editTitle(of.name)} open onClose={onClose} wide>
      <Form
        onSubmit={() => {
          setTried(true);
          if (isFaultless(faults)) send.mutate();
        }}
      >
        {isConflict ? <Notice tone="warn" title={words.conflict} /> : <FormFault error={error} />}
        <TextField label={words.name} {...text('name')} isRequired autoFocus />
        <TextField label={words.destinations} help={words.destinationsHelp} {...text('destinations')} />
        <TextField
          label={words.requestsPerSecond}
          help={words.requestsHelp}
          inputMode="numeric"
          {...text('requestsPerSecond')}
        />
        <Select
          label={words.uncertainPolicy}
          value={form.uncertainPolicy}
          onChange={set('uncertainPolicy')}
          choices={(['resend', 'hold'] as const).map((value) => ({ value, label: accountWords.uncertain[value] }))}
        />
        <Select
          label={words.mmsFallback}
          value={form.mmsFallback}
          onChange={set('mmsFallback')}
          choices={(['none', 'links'] as const).map((value) => ({ value, label: accountWords.fallback[value] }))}
        />
        <Checkbox isSelected={form.smartEncoding} onChange={set('smartEncoding')}>
          {words.smartEncoding}
        </Checkbox>
        <TextField label={words.supportContact} help={words.supportHelp} {...text('supportContact')} />
        <PriceRows rows={prices} faults={tried ? faults : []} onChange={setPrices} />
        <DialogActions>
          <Button onPress={onClose}>{accountWords.cancel}</Button>
          <Button look="primary" type="submit" isPending={send.isPending}>
            {accountWords.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
