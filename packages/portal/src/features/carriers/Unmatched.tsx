/** Receipts whose id is none of ours, as the gateway keeps them for a day. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Empty, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Phone, Time } from '../../ui/Values';
import { carrierWords } from '../../words/en/carriers';
import styles from './Carriers.module.css';

interface Receipt {
  carrier: string;
  carrierMessageId: string;
  to: string | null;
  state: string;
  raw: string;
  receivedAt: string;
}

export function Unmatched() {
  const words = carrierWords.unmatched;
  const receipts = useQuery({
    queryKey: ['carriers', 'unmatched'],
    queryFn: async () => (await api.get<Receipt[]>('/unmatched')).data,
  });
  return (
    <Shown of={receipts}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={words.empty} />
        ) : (
          <>
            <p>{words.detail}</p>
            <Table
              caption={words.caption}
              rows={list.map((receipt, index) => ({ ...receipt, key: `${receipt.receivedAt} ${index}` }))}
              keyOf={({ key }) => key}
              columns={[
                { id: 'at', title: words.columns.at, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
                { id: 'carrier', title: words.columns.carrier, cell: ({ carrier }) => carrier },
                { id: 'id', title: words.columns.id, cell: (one) => <code>{one.carrierMessageId || '—'}</code> },
                { id: 'to', title: words.columns.to, cell: ({ to }) => (to === null ? '—' : <Phone digits={to} />) },
                { id: 'state', title: words.columns.state, cell: ({ state }) => state },
                { id: 'raw', title: words.columns.raw, cell: ({ raw }) => <span className={styles.raw}>{raw}</span> },
              ]}
            />
          </>
        )
      }
    </Shown>
  );
}
