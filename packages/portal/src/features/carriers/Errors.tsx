/** Recent refusals of carriers, counted by their own codes. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Empty, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { Count, ReasonLink, Time } from '../../ui/Values';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.errors;

export function ErrorStatistics({ of }: { of?: string }) {
  const errors = useQuery({
    queryKey: ['carriers', 'errors'],
    queryFn: async () => (await api.get('/carriers/errors')).data,
  });
  return (
    <Shown of={errors}>
      {({ errors: all, looked, since }) => {
        const shown = all.filter(({ carrier }) => of === undefined || carrier === of);
        if (shown.length === 0) return <Empty title={labels.empty} />;
        return (
          <>
            <p>
              {labels.looked(looked)} {since !== null && <Time at={since} />}
            </p>
            <Table
              caption={labels.caption}
              rows={shown}
              keyOf={(one) => [one.carrier, one.state, one.code, one.carrierCode].join(' ')}
              columns={[
                { id: 'carrier', title: labels.columns.carrier, cell: ({ carrier }) => carrier },
                { id: 'code', title: labels.columns.carrierCode, cell: (one) => <code>{one.carrierCode ?? '—'}</code> },
                { id: 'reason', title: labels.columns.reason, cell: ({ code }) => <ReasonLink code={code} /> },
                { id: 'state', title: labels.columns.state, cell: ({ state }) => <StatusBadge state={state} /> },
                { id: 'count', title: labels.columns.count, figures: true, cell: (one) => <Count value={one.count} /> },
                { id: 'last', title: labels.columns.last, cell: ({ lastAt }) => <Time at={lastAt} /> },
              ]}
            />
          </>
        );
      }}
    </Shown>
  );
}
