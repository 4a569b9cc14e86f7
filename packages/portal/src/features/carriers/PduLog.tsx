/** The PDUs of a carrier's binds while the log is switched on, newest first. Texts are shown as lengths. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useLiveState } from '../../api/live';
import type { CarrierShown } from '../../api/routes/carriers';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Field';
import { Row } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { momentText, Time } from '../../ui/Values';
import { hexLines } from '../handsets/handsets';
import styles from './Carriers.module.css';
import { useCarrierActs } from './use-carrier-acts';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.log;
const shownMax = 200;
const minuteChoices = ['5', '15', '30'];
const lookEveryMs = 2_000;

interface Entry {
  at: string;
  bind: number;
  direction: 'out' | 'in';
  command: string;
  sequence: number | null;
  status: string | null;
  fields: Record<string, string | number>;
  /** `xx` for hidden octets; null when it is not a PDU. */
  hex: string | null;
}

export function PduLog({ of }: { of: readonly CarrierShown[] }) {
  const logging = of.filter(({ log }) => log !== null);
  const [chosen, choose] = useState<string | null>(null);
  const carrier = logging.find(({ carrierId }) => carrierId === chosen) ?? logging[0];
  if (carrier === undefined) return <Empty title={labels.none} />;
  return (
    <>
      {logging.length > 1 && (
        <div className={styles.narrow}>
          <Select
            label={labels.which}
            value={carrier.carrierId}
            onChange={choose}
            choices={logging.map(({ carrierId, name }) => ({ value: carrierId, label: name }))}
          />
        </div>
      )}
      <LogOf key={carrier.carrierId} carrierId={carrier.carrierId} />
    </>
  );
}

function LogOf({ carrierId }: { carrierId: string }) {
  const paused = useLiveState() === 'paused';
  const [minutes, setMinutes] = useState('5');
  const acts = useCarrierActs(carrierId);
  const log = useQuery({
    queryKey: ['carriers', carrierId, 'log'],
    queryFn: async () => (await api.get('/carriers/:carrierId/log', { carrierId })).data,
    refetchInterval: paused ? false : lookEveryMs,
  });
  return (
    <Shown of={log}>
      {({ until, entries }) => (
        <>
          <FormFault error={acts.log.error} />
          {until === null ? (
            <Notice tone="neutral" title={labels.off}>
              <Row>
                <Select
                  label={labels.minutes}
                  value={minutes}
                  onChange={setMinutes}
                  choices={minuteChoices.map((value) => ({ value, label: `${value} ${labels.minutes.toLowerCase()}` }))}
                  hideLabel
                />
                <Button onPress={() => acts.log.mutate(Number(minutes))}>{labels.start}</Button>
              </Row>
            </Notice>
          ) : (
            <Row>
              <span>
                {labels.on} <Time at={until} />
              </span>
              <Button onPress={() => acts.log.mutate(0)}>{labels.stop}</Button>
            </Row>
          )}
          <p className={styles.muted}>{labels.texts}</p>
          {entries.length === 0 ? <Empty title={labels.empty} /> : <Entries of={entries} />}
        </>
      )}
    </Shown>
  );
}

/** Each has a stable key, so that an opened entry stays open when the log moves on. */
function keyed(entries: readonly Entry[]): (Entry & { key: string })[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const name = [entry.at, entry.bind, entry.direction, entry.command, entry.sequence].join(' ');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { ...entry, key: `${name} ${count}` };
  });
}

function Entries({ of }: { of: readonly Entry[] }) {
  const { columns } = labels;
  const rows = keyed(of.slice(-shownMax)).reverse();
  return (
    <Table
      caption={labels.caption}
      rows={rows}
      keyOf={({ key }) => key}
      beneath={({ at, command, hex }) =>
        hex === null ? null : (
          <details className={styles.octets}>
            <summary>
              {labels.octets} <span className="visually-hidden">{labels.octetsOf(command, momentText(at))}</span>
            </summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1) */}
            <pre tabIndex={0}>{hexLines(hex)}</pre>
          </details>
        )
      }
      columns={[
        { id: 'at', title: columns.at, cell: ({ at }) => <Time at={at} form="exact" /> },
        { id: 'bind', title: columns.bind, figures: true, cell: ({ bind }) => bind },
        { id: 'way', title: columns.way, cell: ({ direction }) => labels.ways[direction] },
        {
          id: 'command',
          title: columns.command,
          cell: ({ command, sequence }) => (
            <code>
              {command} {sequence === null ? '' : `#${sequence}`}
            </code>
          ),
        },
        { id: 'status', title: columns.status, cell: ({ status }) => status ?? '' },
        {
          id: 'fields',
          title: columns.fields,
          cell: ({ fields }) => (
            <span className={styles.raw}>
              {Object.entries(fields)
                .map(([name, value]) => `${name}=${value}`)
                .join(' ')}
            </span>
          ),
        },
      ]}
    />
  );
}
