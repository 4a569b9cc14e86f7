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

const carrierWords = labelsOf('carrier');

const words = carrierWords.unmatched;

export function Unmatched() {
  const receipts = useUnmatched();
  const [asked, ask] = useState<KeptReceipt | null>(null);
  const [told, tell] = useState<string | null>(null);
  const close = () => ask(null);
  return (
    <>
      <div role="status">
        {told !== null && (
          <Notice tone="ok" title={words.done}>
            {told}
          </Notice>
        )}
      </div>
      <Shown of={receipts}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <>
              <p>{words.detail}</p>
              <Table
                caption={words.caption}
                rows={list}
                keyOf={receiptKey}
                columns={[
                  { id: 'at', title: words.columns.at, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
                  { id: 'carrier', title: words.columns.carrier, cell: ({ carrier }) => carrier },
                  { id: 'id', title: words.columns.id, cell: (one) => <code>{one.carrierMessageId || '—'}</code> },
                  { id: 'to', title: words.columns.to, cell: ({ to }) => (to === null ? '—' : <Phone digits={to} />) },
                  { id: 'state', title: words.columns.state, cell: ({ state }) => state },
                  { id: 'raw', title: words.columns.raw, cell: ({ raw }) => <span className={styles.raw}>{raw}</span> },
                  {
                    id: 'actions',
                    title: words.columns.actions,
                    cell: (receipt) => (
                      <Button onPress={() => ask(receipt)}>
                        {words.match}{' '}
                        <span className="visually-hidden">{words.matchThis(receipt.carrierMessageId)}</span>
                      </Button>
                    ),
                  },
                ]}
              />
            </>
          )
        }
      </Shown>
      {asked !== null && (
        <MatchDialog
          of={asked}
          onClose={close}
          onDone={(sentence) => {
            tell(sentence);
            close();
          }}
        />
      )}
    </>
  );
}
