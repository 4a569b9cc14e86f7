/** All carriers of the gateway with their present activity; for operators. */
import { useState } from 'react';
import { confirmFirst } from '../../api/client';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Page } from '../../ui/Page';
import { Empty, Shown } from '../../ui/States';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Board } from '../carrier-history/Board';
import { CarrierCard } from './CarrierCard';
import { CarrierForm, NeedsSecondFactor } from './CarrierForm';
import styles from './Carriers.module.css';
import { Changes } from './Changes';
import { useKinds } from './carrier-settings';
import { useCarriers } from './carriers';
import { ErrorStatistics } from './Errors';
import { useUnmatched } from './kept-receipts';
import { PduLog } from './PduLog';
import { Unmatched } from './Unmatched';

const labels = labelsOf('carrier');

export function CarriersPage() {
  const carriers = useCarriers();
  // Preloaded for the form.
  useKinds();
  const { data: unmatched = [] } = useUnmatched();
  const { twoFactor } = useMe().user;
  const [tab, setTab] = useUrlText('tab');
  const [adding, setAdding] = useState(false);
  const add = (
    <Button look="primary" icon="plus" onPress={() => void confirmFirst(() => setAdding(true))}>
      {labels.add}
    </Button>
  );
  const none = (
    <Empty title={labels.empty.title} action={add}>
      {labels.empty.detail}
    </Empty>
  );
  return (
    <Page title={labels.title} actions={add}>
      <Shown of={carriers}>
        {(list) => (
          <Tabs
            label={labels.title}
            selected={tab === '' ? 'board' : tab}
            onSelect={(id) => setTab(id === 'board' ? '' : id)}
            tabs={[
              {
                id: 'board',
                title: labelsOf('carrierHistory').tab,
                content: list.length === 0 ? none : <Board carriers={list} />,
              },
              {
                id: 'links',
                title: labels.tabs.links,
                content: (
                  <div className={styles.links}>
                    <p>{labels.what}</p>
                    {!twoFactor && <NeedsSecondFactor />}
                    {list.length === 0 ? (
                      none
                    ) : (
                      <div className={styles.cards}>
                        {list.map((carrier) => (
                          <CarrierCard key={carrier.carrierId} of={carrier} />
                        ))}
                      </div>
                    )}
                  </div>
                ),
              },
              { id: 'unmatched', title: labels.tabs.unmatched(unmatched.length), content: <Unmatched /> },
              { id: 'log', title: labels.tabs.log, content: <PduLog of={list} /> },
              { id: 'errors', title: labels.tabs.errors, content: <ErrorStatistics /> },
              { id: 'changes', title: labels.tabs.changes, content: <Changes /> },
            ]}
          />
        )}
      </Shown>
      {adding && <CarrierForm of={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}
