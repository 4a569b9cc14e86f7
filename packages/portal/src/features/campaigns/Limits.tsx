/** Each carrier's verdict on a campaign, its limits, and their current use. */

import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Facts, Panel } from '../../ui/Page';
import { Progress } from '../../ui/Progress';
import { Badge, StatusBadge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import styles from './Campaigns.module.css';
import type { Campaign, LimitUse } from './campaigns';

const campaignLabels = labelsOf('campaign');

const labels = campaignLabels.limits;
const warnAt = 0.8;
const figure = (value: number | null): string => (value === null ? labels.unlimited : numberText(value));

export function Limits({ of }: { of: Campaign }) {
  const { use, tables, pacing } = of;
  const { segmentsThisMinute, mmsThisMinute, segmentsToday } = use;
  const { segmentsPerMinute, mmsPerMinute, segmentsPerDay } = tables.pacing;
  return (
    <Panel title={labels.title}>
      <Facts
        facts={Object.entries(labels.carriers).map(([name, label]) => [
          label,
          <CarrierState key={name} state={of.carriers[name]} />,
        ])}
      />
      {pacing === null ? (
        <p>{labels.none}</p>
      ) : (
        <div className={styles.limits}>
          {segmentsThisMinute !== null && <Limit label={labels.segmentsThisMinute} of={segmentsThisMinute} />}
          {mmsThisMinute !== null && <Limit label={labels.mmsThisMinute} of={mmsThisMinute} />}
          {segmentsToday !== null && (
            <>
              <Limit label={labels.segmentsToday} of={segmentsToday} />
              <span className={styles.muted}>
                {labels.resets} <Time at={segmentsToday.resetsAt} form="relative" />
              </span>
            </>
          )}
        </div>
      )}
      <p className={styles.muted}>
        {labels.tables}: {labels.tablesLabels(figure(segmentsPerMinute), figure(mmsPerMinute), figure(segmentsPerDay))}{' '}
        {labels.asOf(tables.date)}
      </p>
    </Panel>
  );
}

function CarrierState({ state }: { state: string | undefined }) {
  if (state === undefined) return <span className={styles.muted}>{labels.unknown}</span>;
  // Only carriers reject: nothing else has this state.
  if (state === 'rejected') return <Badge tone="bad" icon="cross" word={labels.carrierStates.rejected!} />;
  return <StatusBadge state={state} />;
}

function Limit({ label, of: { used, limit } }: { label: string; of: LimitUse }) {
  const share = used / limit;
  const isFull = share >= warnAt;
  return (
    <div className={styles.limit}>
      <span className={styles.line}>
        <span>{label}</span>
        <span className={styles.muted}>
          {labels.of(used, limit)} · {labels.percent(share)}
        </span>
        {isFull && <Badge tone="warn" icon="warning" word={labels.most} />}
      </span>
      <Progress label={label} value={used} max={limit} full={isFull} />
    </div>
  );
}
