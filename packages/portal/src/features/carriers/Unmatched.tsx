/** Unmatched receipts, which the gateway keeps for a day, and assigning one to its message by hand. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Empty, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Phone, Time } from '../../ui/Values';
import styles from './Carriers.module.css';
import { type KeptReceipt, receiptKey, useUnmatched } from './kept-receipts';
import { MatchDialog } from './MatchDialog';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.unmatched;

export function Unmatched() {
  const receipts = useUnmatched();
  const [matching, setMatching] = useState<KeptReceipt | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const close = () => setMatching(null);
  return (
    <>
      <div role="status">
        {notice !== null && (
          <Notice tone="ok" title={labels.done}>
            {notice}
          </Notice>
        )}
      </div>
      <Shown of={receipts}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={labels.empty} />
          ) : (
            <>
              <p>{labels.detail}</p>
              <Table
                caption={labels.caption}
                rows={list}
                keyOf={receiptKey}
                columns={[
                  { id: 'at', title: labels.columns.at, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
                  { id: 'carrier', title: labels.columns.carrier, cell: ({ carrier }) => carrier },
                  { id: 'id', title: labels.columns.id, cell: (one) => <code>{one.carrierMessageId || '—'}</code> },
                  { id: 'to', title: labels.columns.to, cell: ({ to }) => (to === null ? '—' : <Phone digits={to} />) },
                  { id: 'state', title: labels.columns.state, cell: ({ state }) => state },
                  {
                    id: 'raw',
                    title: labels.columns.raw,
                    cell: ({ raw }) => <span className={styles.raw}>{raw}</span>,
                  },
                  {
                    id: 'actions',
                    title: labels.columns.actions,
                    cell: (receipt) => (
                      <Button onPress={() => setMatching(receipt)}>
                        {labels.match}{' '}
                        <span className="visually-hidden">{labels.matchThis(receipt.carrierMessageId)}</span>
                      </Button>
                    ),
                  },
                ]}
              />
            </>
          )
        }
      </Shown>
      {matching !== null && (
        <MatchDialog
          of={matching}
          onClose={close}
          onDone={(sentence) => {
            setNotice(sentence);
            close();
          }}
        />
      )}
    </>
  );
}
