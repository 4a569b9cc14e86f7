/** Adds or changes a company. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Conflict, currentOf } from '../../ui/Conflict';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox, Select, TextField } from '../../ui/Field';
import { useOpened } from '../../ui/opened';
import { Form } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import type { Account } from './accounts';
import { PriceRows } from './PriceRows';
import { isFaultless, type PriceRow, priceFaults, ratesOf, rowsOf } from './price-book';

const accountLabels = labelsOf('account');

const labels = accountLabels.form;

export function AccountForm({ of, onClose }: { of: Account | null; onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const opened = useOpened(of, formOf);
  const {
    form,
    form: { prices },
  } = opened;
  const [tried, setTried] = useState(false);
  const faults = priceFaults(prices);
  const set = (field: keyof typeof form) => (value: string | boolean) => opened.set({ [field]: value });
  const send = useMutation({
    mutationFn: ({ sent, version }: { sent: AccountFields; version: string | undefined }) => {
      const { requestsPerSecond, waitingSecondsMax, destinations, destinationsMax, prices, ...more } = sent;
      const { repeatsUnanswered, repeatsBroken, ...others } = more;
      const record = {
        ...others,
        rates: ratesOf(prices),
        destinations: codesOf(destinations),
        // The destinations that the operator chose above are always allowed.
        destinationsMax: [...new Set([...codesOf(destinationsMax), ...codesOf(destinations)])],
        requestsPerSecond: wholeOf(requestsPerSecond),
        waitingSecondsMax: waitingSecondsMax.trim() === '' ? null : wholeOf(waitingSecondsMax),
        repeatsUnanswered: wholeOf(repeatsUnanswered),
        repeatsBroken: wholeOf(repeatsBroken),
      };
      return of === null
        ? api.post('/accounts', { record })
        : api.post('/accounts/:accountId', { record, version }, { accountId: of.accountId });
    },
    onSuccess: async ({ data }) => {
      await Promise.all(['accounts', 'company', 'usage'].map((area) => client.invalidateQueries({ queryKey: [area] })));
      onClose();
      if (of === null) void navigate({ to: '/accounts/$accountId', params: { accountId: data.accountId } });
    },
  });
  const { error } = send;
  const text = (name: TextName) => ({
    value: form[name],
    onChange: set(name),
    fault: faultOf(error, name),
  });
  const theirs = currentOf<Account>(error);
  return (
    <Dialog title={of === null ? labels.addTitle : labels.editTitle(of.name)} open onClose={onClose} wide>
      <Form
        onSubmit={() => {
          setTried(true);
          if (isFaultless(faults)) send.mutate({ sent: form, version: opened.version });
        }}
      >
        {theirs === null ? (
          <FormFault error={error} />
        ) : (
          <Conflict
            rows={opened.differing(theirs).map(({ name, theirs, mine }) => ({
              field: name === 'prices' ? accountLabels.detail.rates : labels[name],
              theirs: textOf(theirs),
              mine: textOf(mine),
            }))}
            onTheirs={() => {
              opened.take(theirs);
              send.reset();
            }}
            onMine={() => send.mutate({ sent: opened.over(theirs), version: theirs.version })}
          />
        )}
        <TextField label={labels.name} {...text('name')} isRequired autoFocus />
        <TextField label={labels.destinations} help={labels.destinationsHelp} {...text('destinations')} />
        <TextField label={labels.destinationsMax} help={labels.destinationsMaxHelp} {...text('destinationsMax')} />
        <TextField
          label={labels.requestsPerSecond}
          help={labels.requestsHelp}
          inputMode="numeric"
          {...text('requestsPerSecond')}
        />
        <TextField
          label={labels.waitingSecondsMax}
          help={labels.waitingHelp}
          inputMode="numeric"
          {...text('waitingSecondsMax')}
        />
        <Select
          label={labels.uncertainPolicy}
          value={form.uncertainPolicy}
          onChange={set('uncertainPolicy')}
          choices={(['resend', 'hold'] as const).map((value) => ({ value, label: accountLabels.uncertain[value] }))}
        />
        {form.uncertainPolicy === 'resend' &&
          (['repeatsUnanswered', 'repeatsBroken'] as const).map((name) => (
            <TextField key={name} label={labels[name]} help={labels.repeatsHelp} inputMode="numeric" {...text(name)} />
          ))}
        <Select
          label={labels.mmsFallback}
          value={form.mmsFallback}
          onChange={set('mmsFallback')}
          choices={(['none', 'links'] as const).map((value) => ({ value, label: accountLabels.fallback[value] }))}
        />
        <Select
          label={labels.animations}
          value={form.animations}
          onChange={set('animations')}
          choices={(['still', 'refuse'] as const).map((value) => ({ value, label: accountLabels.animations[value] }))}
        />
        <Checkbox isSelected={form.smartEncoding} onChange={set('smartEncoding')}>
          {labels.smartEncoding}
        </Checkbox>
        <Checkbox isSelected={form.fraudGuardOptional} onChange={set('fraudGuardOptional')}>
          {labels.fraudGuardOptional}
        </Checkbox>
        <TextField label={labels.supportContact} help={labels.supportHelp} {...text('supportContact')} />
        <PriceRows rows={prices} faults={tried ? faults : []} onChange={(rows) => opened.set({ prices: rows })} />
        <DialogActions>
          <Button onPress={onClose}>{accountLabels.cancel}</Button>
          <Button look="primary" type="submit" isPending={send.isPending}>
            {accountLabels.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function codesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((one) => one !== '');
}

type AccountFields = ReturnType<typeof formOf>;
type TextName =
  | ('name' | 'destinations' | 'destinationsMax' | 'requestsPerSecond' | 'supportContact')
  | ('waitingSecondsMax' | 'repeatsUnanswered' | 'repeatsBroken');

/** A number if it is one; else as typed, so that the gateway refuses it. */
function wholeOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function formOf(of: Account | null) {
  return {
    name: of?.name ?? '',
    destinations: of?.destinations.join(', ') ?? 'US, CA',
    destinationsMax: (of?.destinationsMax ?? of?.destinations)?.join(', ') ?? 'US, CA',
    fraudGuardOptional: of?.fraudGuardOptional ?? false,
    requestsPerSecond: String(of?.requestsPerSecond ?? 0),
    waitingSecondsMax: String(of?.waitingSecondsMax ?? ''),
    uncertainPolicy: of?.uncertainPolicy ?? 'resend',
    repeatsUnanswered: String(of?.repeatsUnanswered ?? 1),
    repeatsBroken: String(of?.repeatsBroken ?? 5),
    smartEncoding: of?.smartEncoding ?? false,
    mmsFallback: of?.mmsFallback ?? 'none',
    animations: of?.animations ?? 'still',
    supportContact: of?.supportContact ?? '',
    prices: rowsOf(of?.rates) as readonly PriceRow[],
  };
}

/** A form value, for comparison with another person's. */
function textOf(value: AccountFields[keyof AccountFields]): string {
  if (typeof value === 'boolean') return accountLabels.smart[value ? 'on' : 'off'];
  if (typeof value === 'string') {
    const named: Readonly<Record<string, string>> = { ...accountLabels.uncertain, ...accountLabels.fallback };
    return named[value] ?? value;
  }
  return value
    .map(({ from, currency, smsPerSegment, mmsPerMessage }) =>
      accountLabels.priceLine(from, currency, smsPerSegment, mmsPerMessage),
    )
    .join('; ');
}
