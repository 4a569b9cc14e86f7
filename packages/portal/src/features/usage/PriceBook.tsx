/** The prices of the company and their first days. The operator sets them. */
import { useState } from 'react';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { PricesDialog } from '../accounts/PricesDialog';
import { useCompany } from '../settings/company';

const usageLabels = labelsOf('usage');

const labels = usageLabels.prices;

export function PriceBook({ today }: { today: string }) {
  const company = useCompany();
  const operator = useMay('operator');
  const { account } = useMe();
  const [setting, set] = useState(false);
  return (
    <Panel title={labels.title} actions={operator && <Button onPress={() => set(true)}>{labels.set}</Button>}>
      <Shown of={company} rows={2}>
        {({ rates }) => {
          if (rates.length === 0) return <p>{labels.none}</p>;
          const newestFirst = [...rates].sort((a, b) => (a.from < b.from ? 1 : -1));
          const inForce = newestFirst.find(({ from }) => from <= today)?.from;
          return (
            <Table
              caption={labels.caption}
              rows={newestFirst}
              keyOf={({ from }) => from}
              columns={[
                { id: 'from', title: labels.from, cell: ({ from }) => from },
                {
                  id: 'sms',
                  title: labels.sms,
                  figures: true,
                  cell: ({ currency, smsPerSegment }) => `${currency} ${smsPerSegment}`,
                },
                {
                  id: 'mms',
                  title: labels.mms,
                  figures: true,
                  cell: ({ currency, mmsPerMessage }) => `${currency} ${mmsPerMessage}`,
                },
                {
                  id: 'state',
                  title: labels.state,
                  cell: ({ from }) =>
                    from === inForce ? (
                      <Badge tone="ok" icon="check" word={labels.inForce} />
                    ) : (
                      <Badge tone="neutral" icon="queued" word={from > today ? labels.later : labels.past} />
                    ),
                },
              ]}
            />
          );
        }}
      </Shown>
      {setting && <PricesDialog accountId={account.accountId} onClose={() => set(false)} />}
    </Panel>
  );
}
