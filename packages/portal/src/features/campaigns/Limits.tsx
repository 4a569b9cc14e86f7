/** Each carrier's verdict on a campaign, its limits, and their current use. */

import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Facts, Panel } from '../../ui/Page';
import { Progress } from '../../ui/Progress';
import { Badge, StatusBadge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import styles from './Campaigns.module.css';
import type { Campaign, LimitUse } from './campaigns';

const campaignWords = labelsOf('campaign');

const words = campaignWords.limits;
const warnAt = 0.8;
const figure = (value: number | null): string => (value === null ? words.unlimited : numberText(value));

export function Limits({ of }: { of: Campaign }) {
  const { use, tables, pacing } = of;
  const { segmentsThisMinute, mmsThisMinute, segmentsToday } = use;
  const { segmentsPerMinute, mmsPerMinute, segmentsPerDay } = tables.pacing;
  return (
    <Panel title={words.title}>
      <Facts
        facts={Object.entries(words.carriers).map(([name, label]) => [
          label,
          <CarrierState key={name} state={of.carriers[name]} />,
        ])}
      />
      {pacing === null ? (
        <p>{words.none}</p>
      ) : (
        <div className={styles.limits}>
          {segmentsThisMinute !== null && <Limit label={words.segmentsThisMinute} of={segmentsThisMinute} />}
          {mmsThisMinute !== null && <Limit label={words.mmsThisMinute} of={mmsThisMinute} />}
          {segmentsToday !== null && (
            <>
              <Limit label={words.segmentsToday} of={segmentsToday} />
              <span className={styles.muted}>
                {words.resets} <Time at={segmentsToday.resetsAt} form="relative" />
              </span>
            </>
          )}
        </div>
      )}
      <p className={styles.muted}>
        {words.tables}: {words.tablesWords(figure(segmentsPerMinute), figure(mmsPerMinute), figure(segmentsPerDay))}{' '}
        {words.asOf(tables.date)}
      </p>
    </Panel>
  );
}

function CarrierState({ state }: { state: string | undefined }) {
  if (state === undefined) return <span className={styles.muted}>{words.unknown}</span>;
  // Only carriers reject: nothing else has this state.
  if (state === 'rejected') return <Badge tone="bad" icon="cross" word={words.carrierStates.rejected!} />;
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
          {words.of(used, limit)} · {words.percent(share)}
        </span>
        {isFull && <Badge tone="warn" icon="warning" word={words.most} />}
      </span>
      <Progress label={label} value={used} max={limit} full={isFull} />
    </div>
  );
}
