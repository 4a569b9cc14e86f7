/** Recent refusals of carriers, counted by their own codes. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Empty, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { Count, ReasonLink, Time } from '../../ui/Values';

const carrierWords = labelsOf('carrier');

const words = carrierWords.errors;

export function ErrorStatistics({ of }: { of?: string }) {
  const errors = useQuery({
    queryKey: ['carriers', 'errors'],
    queryFn: async () => (await api.get('/carriers/errors')).data,
  });
  return (
    <Shown of={errors}>
      {({ errors: all, looked, since }) => {
        const shown = all.filter(({ carrier }) => of === undefined || carrier === of);
        if (shown.length === 0) return <Empty title={words.empty} />;
        return (
          <>
            <p>
              {words.looked(looked)} {since !== null && <Time at={since} />}
            </p>
            <Table
              caption={words.caption}
              rows={shown}
              keyOf={(one) => [one.carrier, one.state, one.code, one.carrierCode].join(' ')}
              columns={[
                { id: 'carrier', title: words.columns.carrier, cell: ({ carrier }) => carrier },
                { id: 'code', title: words.columns.carrierCode, cell: (one) => <code>{one.carrierCode ?? '—'}</code> },
                { id: 'reason', title: words.columns.reason, cell: ({ code }) => <ReasonLink code={code} /> },
                { id: 'state', title: words.columns.state, cell: ({ state }) => <StatusBadge state={state} /> },
                { id: 'count', title: words.columns.count, figures: true, cell: (one) => <Count value={one.count} /> },
                { id: 'last', title: words.columns.last, cell: ({ lastAt }) => <Time at={lastAt} /> },
              ]}
            />
          </>
        );
      }}
    </Shown>
  );
}
