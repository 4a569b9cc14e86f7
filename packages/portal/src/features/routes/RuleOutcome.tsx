/** Where a message would go, and the verdict of every rule. */

import { labelsOf } from '../../language/labels';
import { Notice } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import styles from './Routes.module.css';
import { canTake, type RuleTest, refusalOf } from './routes';

const routeLabels = labelsOf('route');

const labels = routeLabels.tester;
const tones = { none: 'ok', part: 'warn', all: 'bad' } as const;

export function RuleOutcome({ of }: { of: RuleTest }) {
  const refusal = refusalOf(of);
  return (
    <div className={styles.outcome}>
      <Notice tone={tones[refusal]} title={labels.refusals[refusal]}>
        <p>{of.outcome}</p>
      </Notice>
      {!of.isKnownSender && <p>{labels.unknownSender}</p>}
      <p>{labels.facts(of.campaignId, labels.local(of.local.day, of.local.clock), of.timeZone)}</p>
      <Table
        caption={labels.caption}
        rows={of.rules}
        keyOf={({ routeId }) => routeId}
        columns={[
          { id: 'rule', title: labels.columns.rule, cell: ({ routeId }) => <code>{routeId}</code> },
          { id: 'verdict', title: labels.columns.verdict, cell: (rule) => <Verdict of={rule} /> },
          {
            id: 'why',
            title: labels.columns.why,
            cell: ({ misses, route }) =>
              misses.length === 0 ? labels.fits : misses.map((miss) => labels.misses[miss](route)).join(', '),
          },
          {
            id: 'carriers',
            title: labels.columns.carriers,
            cell: ({ carriers }) => carriers.map((one) => `${one.name} (${carrierState(one)})`).join(', '),
          },
        ]}
      />
    </div>
  );
}

function Verdict({ of }: { of: RuleTest['rules'][number] }) {
  const { misses, share } = of;
  if (misses.length > 0) return <Badge tone="neutral" icon="cross" word={labels.no} />;
  if (share === 0) return <Badge tone="neutral" icon="queued" word={labels.behind} />;
  if (!canTake(of)) return <Badge tone="bad" icon="cross" word={labels.noCarrier} />;
  const word = share === 1 ? labels.taken : labels.shared(Math.round(share * 100));
  return <Badge tone="ok" icon="check" word={word} />;
}

function carrierState({ enabled, takesKind, up, paused }: RuleTest['rules'][number]['carriers'][number]): string {
  const states = labels.carrierStates;
  if (!enabled) return states.off;
  if (!takesKind) return states.kind;
  if (paused) return states.paused;
  return up ? states.up : states.down;
}
