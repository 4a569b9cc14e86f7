/** The traffic between the gateway and the simulated carrier about one handset. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, type Ref, useState } from 'react';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { Select, Switch } from '../../ui/Field';
import { useFollowedEnd } from '../../ui/follow-end';
import { Icon } from '../../ui/icons';
import { Empty, Shown } from '../../ui/States';
import { CopyButton, Time } from '../../ui/Values';
import styles from './Handsets.module.css';
import { factsOf, hexLines, passes, type WireEntry, type WireFilter } from './handsets';
import { wireQuery } from './queries';

const handsetLabels = labelsOf('handset');
const copied = labelsOf('copied');

const labels = handsetLabels.wirePanel;
/** The newest of what is kept. */
const rowsMax = 150;
/** This near to its end, the list counts as scrolled to its end. */
const nearEndPx = 32;

export const WirePanel = memo(({ number }: { number: string }) => {
  const client = useQueryClient();
  const wire = useQuery(wireQuery(client, number));
  const [filter, setFilter] = useState<WireFilter>('all');
  const [hex, setHex] = useState(false);
  const mayRead = useMay('readBody');
  const shown = (wire.data ?? []).filter((entry) => passes(entry, filter));
  const text = async () => shown.map(lineOf).join('\n');
  return (
    <div className={styles.wire}>
      <div className={styles.wireActions}>
        <Select
          label={labels.filter}
          hideLabel
          value={filter}
          onChange={(value) => setFilter(value as WireFilter)}
          choices={Object.entries(labels.filters).map(([value, label]) => ({ value, label }))}
        />
        {mayRead && <Switch label={labels.hex} isSelected={hex} onChange={setHex} />}
      </div>
      <Shown of={wire} leads>
        {() =>
          shown.length === 0 ? (
            <Empty title={labels.empty}>{labels.emptyDetail}</Empty>
          ) : (
            <Entries entries={shown.slice(-rowsMax)} hex={hex} />
          )
        }
      </Shown>
      <div className={styles.wireActions}>
        <CopyButton value={text} what={copied.wire} label={labels.copy} />
        <Button onPress={() => saveText(`wire-${number}.json`, JSON.stringify(shown, null, 2), 'application/json')}>
          {labels.download}
        </Button>
      </div>
    </div>
  );
});

/** In order, like the messages beside them; the newest stays visible unless somebody scrolled up. */
function Entries({ entries, hex }: { entries: readonly WireEntry[]; hex: boolean }) {
  const { list, row } = useFollowedEnd(entries, { near: nearEndPx });
  return (
    <ol
      ref={list}
      className={styles.entries}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      aria-label={handsetLabels.wire}
    >
      {entries.map((entry) => (
        <Entry key={entry.id} ref={row} entry={entry} hex={hex} />
      ))}
    </ol>
  );
}

function lineOf(entry: WireEntry): string {
  return `${entry.at} ${entry.direction === 'to_carrier' ? '>' : '<'} ${entry.link} ${entry.command}  ${factsOf(entry)}`;
}

/** An entry never changes, so it is rendered once. */
const Entry = memo(({ ref, entry, hex }: { ref: Ref<HTMLLIElement>; entry: WireEntry; hex: boolean }) => {
  const out = entry.direction === 'to_carrier';
  return (
    <li ref={ref} className={styles.entry}>
      <span className={styles.entryHead}>
        <Time at={entry.at} form="exact" />
        <span className={out ? styles.out : styles.in}>
          <Icon name={out ? 'right' : 'left'} />
          <span className="visually-hidden">{out ? labels.toCarrier : labels.toGateway}</span>
        </span>
        <code>{entry.command}</code>
      </span>
      <span className={styles.facts}>{factsOf(entry)}</span>
      {hex && entry.hex !== null && entry.hex !== '' && (
        <pre className={styles.hex}>
          {hexLines(entry.hex)}
          {entry.sizeBytes * 2 > entry.hex.length ? `\n… ${labels.bytes(entry.sizeBytes)}` : ''}
        </pre>
      )}
    </li>
  );
});
