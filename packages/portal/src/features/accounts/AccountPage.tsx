/** One company: its settings, prices and people. Suspending it explains the consequences first. For operators. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Facts, Form, Page, Panel, Row } from '../../ui/Page';
import { roleName } from '../../ui/roles';
import { Empty, FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { Code, Copyable, Time } from '../../ui/Values';
import { AccountForm } from './AccountForm';
import { type AccountDetail, hasOwner, useAccount } from './accounts';
import { PricesDialog } from './PricesDialog';

const accountLabels = labelsOf('account');
const copied = labelsOf('copied');
/** The first Owner of a company: an invitation whose link is shown once. */
function InviteOwner({ accountId }: { accountId: string }) {
  const labels = accountLabels.invite;
  const client = useQueryClient();
  const [form, setForm] = useState({ email: '', name: '' });
  const send = useMutation({
    mutationFn: async () => (await api.post('/accounts/:accountId/owner', form, { accountId })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: ['accounts'] }),
  });
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      <Form onSubmit={() => send.mutate()} label={labels.title}>
        <FormFault error={send.error} />
        <TextField
          label={labels.email}
          type="email"
          value={form.email}
          onChange={(email) => setForm({ ...form, email })}
          fault={faultOf(send.error, 'email')}
          autoComplete="off"
        />
        <TextField
          label={labels.name}
          value={form.name}
          onChange={(name) => setForm({ ...form, name })}
          fault={faultOf(send.error, 'name')}
          autoComplete="off"
        />
        <div>
          <Button type="submit" isPending={send.isPending}>
            {labels.go}
          </Button>
        </div>
      </Form>
      {send.data !== undefined && (
        <Notice tone="ok" title={labels.done}>
          <p>{labels.once}</p>
          <Code text={send.data.link} what={copied.link} />
        </Notice>
      )}
    </Panel>
  );
}

const labels = accountLabels.detail;

export function AccountPage() {
  const { accountId = '' } = useParams({ strict: false });
  const account = useAccount(accountId);
  const title = account.data?.name ?? accountId;
  return (
    <Page title={title} crumbs={[{ label: accountLabels.title, to: '/accounts' }, { label: title }]}>
      <Shown of={account}>{(found) => <Detail of={found} />}</Shown>
    </Page>
  );
}

function uncertainText({ uncertainPolicy, repeatsUnanswered = 1, repeatsBroken = 5 }: AccountDetail): string {
  const policy = accountLabels.uncertain[uncertainPolicy];
  if (uncertainPolicy === 'hold') return policy;
  return `${policy}: ${accountLabels.repeats(repeatsUnanswered, repeatsBroken)}`;
}

function Detail({ of }: { of: AccountDetail }) {
  const [dialog, showDialog] = useState<'edit' | 'prices' | 'suspend' | null>(null);
  const status = useStatus(of);
  // Stays set, because the link of an invitation is shown only until this page is left.
  const [hadNone] = useState(!hasOwner(of));
  const close = () => showDialog(null);
  return (
    <>
      <FormFault error={status.error} />
      <Row>
        <Button look="primary" onPress={() => showDialog('edit')}>
          {accountLabels.edit}
        </Button>
        {of.status === 'active' ? (
          <Button onPress={() => showDialog('suspend')}>{accountLabels.suspend}</Button>
        ) : (
          <Button onPress={() => status.mutate('active')} isPending={status.isPending}>
            {accountLabels.activate}
          </Button>
        )}
      </Row>
      <Settings of={of} />
      <Prices of={of} onSet={() => showDialog('prices')} />
      <People of={of} />
      {(hadNone || !hasOwner(of)) && <InviteOwner accountId={of.accountId} />}
      {dialog === 'edit' && <AccountForm of={of} onClose={close} />}
      {dialog === 'prices' && <PricesDialog accountId={of.accountId} onClose={close} />}
      {dialog === 'suspend' && <SuspendDialog of={of} onClose={close} />}
    </>
  );
}

function useStatus(of: AccountDetail, done?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (status: AccountDetail['status']) =>
      api.post('/accounts/:accountId', { record: { status }, version: of.version }, { accountId: of.accountId }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['accounts'] });
      done?.();
    },
  });
}

function waitingText(secondsMax: number | undefined): string {
  if (secondsMax === undefined) return labels.waitingDefault;
  return secondsMax === 0 ? labels.none : labels.waitingMax(secondsMax);
}

function Settings({ of }: { of: AccountDetail }) {
  const { accountId, destinations, requestsPerSecond, waitingSecondsMax, counts, supportContact } = of;
  return (
    <Panel title={labels.settings}>
      <Facts
        facts={[
          [labels.id, <Copyable key="id" value={accountId} what={copied.id} />],
          [labels.status, <StatusBadge key="status" state={of.status} />],
          [labels.counts, labels.countsOf(counts.numbers, counts.campaigns, counts.keys)],
          [labels.destinations, destinations.includes('*') ? labels.everywhere : destinations.join(', ')],
          [labels.limit, requestsPerSecond === 0 ? labels.none : accountLabels.perSecond(requestsPerSecond)],
          [labels.waiting, waitingText(waitingSecondsMax)],
          [labels.uncertain, uncertainText(of)],
          [labels.smartEncoding, of.smartEncoding ? accountLabels.smart.on : accountLabels.smart.off],
          [labels.mmsFallback, accountLabels.fallback[of.mmsFallback]],
          [labels.animations, accountLabels.animations[of.animations ?? 'still']],
          [labels.support, supportContact === '' ? labels.none : supportContact],
        ]}
      />
    </Panel>
  );
}

function Prices({ of: { rates = [] }, onSet }: { of: AccountDetail; onSet(): void }) {
  const columns = accountLabels.rateColumns;
  return (
    <Panel title={labels.rates} actions={<Button onPress={onSet}>{accountLabels.prices.dialog}</Button>}>
      {rates.length === 0 ? (
        <Empty title={labels.noRates} />
      ) : (
        <Table
          caption={labels.rates}
          rows={[...rates].sort((a, b) => (a.from < b.from ? 1 : -1))}
          keyOf={({ from }) => from}
          columns={[
            { id: 'from', title: columns.from, cell: ({ from }) => from },
            { id: 'sms', title: columns.sms, figures: true, cell: ({ smsPerSegment }) => smsPerSegment },
            { id: 'mms', title: columns.mms, figures: true, cell: ({ mmsPerMessage }) => mmsPerMessage },
            { id: 'currency', title: columns.currency, cell: ({ currency }) => currency },
          ]}
        />
      )}
    </Panel>
  );
}

function People({ of: { users } }: { of: AccountDetail }) {
  const columns = accountLabels.peopleColumns;
  return (
    <Panel title={labels.people}>
      {users.length === 0 ? (
        <Empty title={labels.noPeople} />
      ) : (
        <Table
          caption={labels.people}
          rows={users}
          keyOf={({ userId }) => userId}
          columns={[
            { id: 'name', title: columns.name, cell: ({ name }) => name },
            { id: 'email', title: columns.email, cell: ({ email }) => email },
            { id: 'role', title: columns.role, cell: ({ role }) => roleName(role) },
            {
              id: 'seen',
              title: columns.seen,
              cell: ({ lastSignInAt: at }) => (at === null ? accountLabels.never : <Time at={at} form="relative" />),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function SuspendDialog({ of, onClose }: { of: AccountDetail; onClose(): void }) {
  const dialog = accountLabels.suspendDialog;
  const status = useStatus(of, onClose);
  return (
    <Dialog title={dialog.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={status.error} />
      <p>{dialog.consequence(of.counts.keys, of.counts.numbers)}</p>
      <DialogActions>
        <Button onPress={onClose}>{accountLabels.cancel}</Button>
        <Button look="danger" onPress={() => status.mutate('suspended')} isPending={status.isPending}>
          {dialog.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
