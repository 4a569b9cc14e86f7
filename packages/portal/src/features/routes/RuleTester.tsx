/** Where a message would go, and what every rule says to it. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Select, TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { routeWords } from '../../words/en/routes';
import styles from './Routes.module.css';
import type { RuleTest } from './routes';

const words = routeWords.tester;

export function RuleTester() {
  const [form, setForm] = useState({ from: '', to: '', kind: 'SMS' });
  const set = (field: keyof typeof form) => (value: string) => setForm({ ...form, [field]: value });
  const test = useMutation({
    mutationFn: async () => {
      // As people write numbers; the gateway takes digits.
      const [from, to] = [form.from, form.to].map((number) => number.replace(/[\s().+-]/g, ''));
      return (await api.post<RuleTest>('/routes/test', { from, to, kind: form.kind })).data;
    },
  });
  return (
    <Panel title={words.title}>
      <p>{words.what}</p>
      <Form onSubmit={() => test.mutate()} label={words.title}>
        <FormFault error={test.error} />
        <div className={styles.fields}>
          <TextField
            label={words.from}
            inputMode="tel"
            value={form.from}
            onChange={set('from')}
            fault={faultOf(test.error, 'from')}
          />
          <TextField
            label={words.to}
            inputMode="tel"
            value={form.to}
            onChange={set('to')}
            fault={faultOf(test.error, 'to')}
          />
          <Select
            label={words.kind}
            value={form.kind}
            onChange={set('kind')}
            choices={['SMS', 'MMS'].map((value) => ({ value, label: value }))}
          />
        </div>
        <div>
          <Button type="submit" isPending={test.isPending}>
            {words.go}
          </Button>
        </div>
      </Form>
      <div role="status">{test.data !== undefined && <Outcome of={test.data} />}</div>
    </Panel>
  );
}

function Outcome({ of }: { of: RuleTest }) {
  const isRefused = of.rules.every(({ share }) => share === 0);
  return (
    <div className={styles.outcome}>
      <Notice tone={isRefused ? 'warn' : 'ok'} title={of.outcome} />
      {!of.isKnownSender && <p>{words.unknownSender}</p>}
      <Table
        caption={words.caption}
        compact
        rows={of.rules}
        keyOf={({ routeId }) => routeId}
        columns={[
          { id: 'rule', title: words.columns.rule, cell: ({ routeId }) => <code>{routeId}</code> },
          { id: 'verdict', title: words.columns.verdict, cell: (rule) => <Verdict of={rule} /> },
          {
            id: 'why',
            title: words.columns.why,
            cell: ({ misses }) =>
              misses.length === 0 ? words.fits : misses.map((miss) => words.misses[miss]).join(', '),
          },
          {
            id: 'carriers',
            title: words.columns.carriers,
            cell: ({ carriers }) => carriers.map((one) => `${one.carrierId} (${carrierState(one)})`).join(', '),
          },
        ]}
      />
    </div>
  );
}

function Verdict({ of: { misses, share } }: { of: RuleTest['rules'][number] }) {
  if (misses.length > 0) return <Badge tone="neutral" icon="cross" word={words.no} />;
  if (share === 0) return <Badge tone="neutral" icon="queued" word={words.behind} />;
  const word = share === 1 ? words.taken : words.shared(Math.round(share * 100));
  return <Badge tone="ok" icon="check" word={word} />;
}

function carrierState({ enabled, takesKind, up, paused }: RuleTest['rules'][number]['carriers'][number]): string {
  const states = words.carrierStates;
  if (!enabled) return states.off;
  if (!takesKind) return states.kind;
  if (paused) return states.paused;
  return up ? states.up : states.down;
}
