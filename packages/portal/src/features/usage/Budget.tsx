/** The company's monthly budget, the used share, and a form to change it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Conflict, currentOf } from '../../ui/Conflict';
import { TextField } from '../../ui/Field';
import { useOpened } from '../../ui/opened';
import { Form, Panel } from '../../ui/Page';
import { Progress } from '../../ui/Progress';
import { FormFault, faultOf, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { type Company, useCompany, useSaveCompany } from '../settings/company';
import styles from './Usage.module.css';

const usageLabels = labelsOf('usage');

const labels = usageLabels.budget;

interface BudgetUse {
  monthly: string;
  currency: string;
  spent: string;
  percent: number;
}

export function Budget() {
  const { environment } = useMe();
  const company = useCompany();
  const mayManage = useMay('manageCompany');
  const use = useQuery({
    queryKey: ['usage', environment, 'budget'],
    queryFn: async () => (await api.get('/usage/budget')).data,
  });
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      <Shown of={company} rows={2}>
        {(current) => (
          <>
            <Shown of={use} rows={1}>
              {(used) => <Use used={used} company={current} />}
            </Shown>
            {mayManage && <BudgetForm company={current} />}
          </>
        )}
      </Shown>
    </Panel>
  );
}

function Use({ used, company }: { used: BudgetUse | null; company: Company }) {
  if (company.monthlyBudget === null) return <p>{labels.none}</p>;
  if (used === null) return <p>{labels.noPrices}</p>;
  const { spent, monthly, currency, percent } = used;
  return (
    <div className={styles.budget}>
      <p>
        {percent >= 100 ? (
          <Badge tone="bad" icon="warning" word={labels.over} />
        ) : percent >= 80 ? (
          <Badge tone="warn" icon="warning" word={labels.close} />
        ) : (
          <Badge tone="ok" icon="check" word={labels.within} />
        )}{' '}
        {labels.used(spent, monthly, currency, percent)}
      </p>
      <Progress label={labels.bar} max={100} value={percent} full={percent >= 80} />
    </div>
  );
}

function BudgetForm({ company }: { company: Company }) {
  const client = useQueryClient();
  const opened = useOpened(company, budgetOf);
  const { amount } = opened.form;
  const save = useSaveCompany();
  const theirs = currentOf<Company>(save.error);
  const submit = (amount: string, version: string) =>
    save.mutate(
      { monthlyBudget: amount.trim() === '' ? null : amount.trim(), version },
      {
        onSuccess: ({ data }) => {
          opened.take(data);
          void client.invalidateQueries({ queryKey: ['usage'] });
        },
      },
    );
  return (
    <Form label={labels.title} onSubmit={() => submit(amount, opened.base.version)}>
      {theirs === null ? (
        <FormFault error={save.error} />
      ) : (
        <Conflict
          rows={opened.differing(theirs).map(({ theirs, mine }) => ({ field: labels.title, theirs, mine }))}
          onTheirs={() => {
            opened.take(theirs);
            save.reset();
          }}
          onMine={() => submit(opened.over(theirs).amount, theirs.version)}
        />
      )}
      <TextField
        label={labels.amount(company.rates[0]?.currency ?? null)}
        help={labels.help}
        value={amount}
        onChange={(amount) => opened.set({ amount })}
        inputMode="decimal"
        fault={faultOf(save.error, 'monthlyBudget')}
      />
      <Button type="submit" isPending={save.isPending}>
        {labels.save}
      </Button>
    </Form>
  );
}

function budgetOf({ monthlyBudget }: Company): { amount: string } {
  return { amount: monthlyBudget ?? '' };
}
