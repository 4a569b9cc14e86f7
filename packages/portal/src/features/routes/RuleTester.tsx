/** Where a message would go: a form, and the result. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select, TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import styles from './Routes.module.css';
import { RuleOutcome } from './RuleOutcome';
import { weekdays } from './routes';

const routeLabels = labelsOf('route');

const labels = routeLabels.tester;

const digitsOf = (number: string): string => number.replace(/[\s().+-]/g, '');

export function RuleTester({ isDrafted }: { isDrafted: boolean }) {
  // A message page passes its own numbers; the router writes a text of digits as JSON.
  const [from] = useUrlText('from');
  const [to] = useUrlText('to');
  const [kind] = useUrlText('kind');
  const [form, setForm] = useState({
    from: from.replaceAll('"', ''),
    to: to.replaceAll('"', ''),
    kind: kind === 'MMS' ? 'MMS' : 'SMS',
    day: '',
    clock: '12:00',
  });
  const [tried, setTried] = useState(false);
  const set = (field: keyof typeof form) => (value: string) => setForm({ ...form, [field]: value });
  const test = useMutation({
    mutationFn: async () => {
      // People write numbers in groups; the gateway accepts digits.
      const [from, to] = [digitsOf(form.from), digitsOf(form.to)];
      const when = form.day === '' ? null : { day: form.day, clock: form.clock };
      return (await api.post('/routes/test', { from, to, kind: form.kind === 'MMS' ? 'MMS' : 'SMS', when })).data;
    },
  });
  const isMissing = (field: 'from' | 'to') => !/\d/.test(form[field]);
  const faultAt = (field: 'from' | 'to') => (tried && isMissing(field) ? labels.needed : faultOf(test.error, field));
  const submit = () => {
    setTried(true);
    if (!isMissing('from') && !isMissing('to')) test.mutate();
  };
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      {isDrafted && <p>{labels.published}</p>}
      <Form onSubmit={submit} label={labels.title}>
        <FormFault error={test.error} />
        <div className={styles.fields}>
          <TextField
            label={labels.from}
            inputMode="tel"
            value={form.from}
            onChange={set('from')}
            fault={faultAt('from')}
          />
          <TextField label={labels.to} inputMode="tel" value={form.to} onChange={set('to')} fault={faultAt('to')} />
          <Select
            label={labels.kind}
            value={form.kind}
            onChange={set('kind')}
            choices={['SMS', 'MMS'].map((value) => ({ value, label: value }))}
          />
          <Select
            label={labels.when}
            value={form.day}
            onChange={set('day')}
            choices={[
              { value: '', label: labels.now },
              ...weekdays.map((value) => ({ value, label: routeLabels.dayNames[value] })),
            ]}
          />
          {form.day !== '' && (
            <TextField
              label={labels.clock}
              help={labels.clockHelp}
              value={form.clock}
              onChange={set('clock')}
              fault={faultOf(test.error, 'when')}
            />
          )}
        </div>
        <div>
          <Button type="submit" isPending={test.isPending}>
            {labels.go}
          </Button>
        </div>
      </Form>
      <div role="status">{test.data !== undefined && <RuleOutcome of={test.data} />}</div>
    </Panel>
  );
}
