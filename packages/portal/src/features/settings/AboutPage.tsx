/** The gateway's versions, its health, and the licences of its parts. */
import { useState } from 'react';
import type { GatewayAbout } from '../../api/routes/about';
import type { HealthFinding } from '../../api/routes/health';
import { useMay } from '../../api/session';
import { sizeText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Facts, Panel, Row } from '../../ui/Page';
import { Notice, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { CopyButton, Time } from '../../ui/Values';
import styles from './Settings.module.css';
import { SettingsPage } from './SettingsPage';
import { type Health, type Shipped, useAbout, useHealth, useLicences } from './upkeep';

const upkeepLabels = labelsOf('upkeep');

const labels = upkeepLabels.about;
const healthLabels = upkeepLabels.health;
const licenceLabels = upkeepLabels.licences;

export function AboutPage() {
  const about = useAbout();
  return (
    <SettingsPage title={labels.title}>
      <Shown of={about}>{(data) => <Made about={data} />}</Shown>
      <HealthPanel />
      <Licences />
    </SettingsPage>
  );
}

function Made({ about }: { about: GatewayAbout }) {
  const { version, build, node, store, machine } = about;
  const facts: [string, string][] = [
    [labels.version, version],
    [labels.build, build ?? labels.unknown],
    [labels.node, node],
    [labels.store, `${labels.engines[store.engine]} ${store.engineVersion}`],
    [labels.schema, String(store.schemaVersion)],
    ...(machine === null
      ? []
      : ([
          [labels.size, sizeText(machine.bytes)],
          [labels.platform, machine.platform],
        ] satisfies [string, string][])),
  ];
  const text = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <Panel title={labels.made} actions={<CopyButton value={text} what={labels.copy} />}>
      <Facts
        facts={[
          ...facts,
          ...(machine === null ? [] : [[labels.since, <Time key="since" at={machine.startedAt} />] as const]),
        ]}
      />
    </Panel>
  );
}

function HealthPanel() {
  const operator = useMay('operator');
  const health = useHealth(operator);
  return (
    <Panel
      title={healthLabels.title}
      actions={
        operator && (
          <Button onPress={() => void health.refetch()} isPending={health.isFetching}>
            {healthLabels.again}
          </Button>
        )
      }
    >
      {operator ? (
        <Shown of={health}>{(data) => <Findings health={data} />}</Shown>
      ) : (
        <p>{healthLabels.operatorOnly}</p>
      )}
    </Panel>
  );
}

function Findings({ health: { findings, skewSeconds, at } }: { health: Health }) {
  const { clock } = healthLabels;
  const rows: HealthFinding[] = [
    ...findings,
    {
      what: clock.what,
      ok: skewSeconds === 0,
      detail: skewSeconds === 0 ? clock.well : clock.off(skewSeconds),
      fix: skewSeconds === 0 ? null : clock.fix,
    },
  ];
  const ill = rows.filter(({ ok }) => !ok);
  return (
    <>
      <p role="status">
        {ill.length === 0 ? healthLabels.allWell : healthLabels.notWell(ill.length)}{' '}
        <span className={styles.muted}>
          {healthLabels.lookedAt} <Time at={at} />
        </span>
      </p>
      <Table
        caption={healthLabels.caption}
        rows={[...ill, ...rows.filter(({ ok }) => ok)]}
        keyOf={({ what }) => what}
        columns={[
          { id: 'what', title: healthLabels.what, cell: ({ what }) => what },
          {
            id: 'state',
            title: healthLabels.state,
            cell: ({ ok }) => (
              <Badge
                tone={ok ? 'ok' : 'warn'}
                icon={ok ? 'check' : 'warning'}
                word={ok ? healthLabels.well : healthLabels.ill}
              />
            ),
          },
          { id: 'detail', title: healthLabels.detail, cell: ({ detail }) => detail },
          { id: 'fix', title: healthLabels.fix, cell: ({ fix }) => fix ?? healthLabels.none },
        ]}
      />
    </>
  );
}

function Licences() {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<Shipped | null>(null);
  const licences = useLicences(isOpen);
  const close = () => setShown(null);
  return (
    <Panel title={licenceLabels.title}>
      <p>{licenceLabels.own}</p>
      {!isOpen && (
        <Row>
          <Button onPress={() => setOpen(true)}>{licenceLabels.show}</Button>
        </Row>
      )}
      {licences.isError && <Notice tone="warn" title={licenceLabels.missing} />}
      {licences.data !== undefined && (
        <>
          <p role="status">{licenceLabels.count(licences.data.packages.length)}</p>
          <Table
            caption={licenceLabels.caption}
            rows={licences.data.packages}
            keyOf={({ name, version }) => `${name} ${version}`}
            columns={[
              { id: 'name', title: licenceLabels.name, cell: ({ name }) => <code>{name}</code> },
              { id: 'version', title: licenceLabels.version, cell: ({ version }) => version },
              { id: 'licence', title: licenceLabels.licence, cell: ({ licence }) => licence },
              {
                id: 'text',
                title: licenceLabels.text,
                cell: (one) =>
                  one.text === null ? (
                    <span className={styles.muted}>{licenceLabels.noText}</span>
                  ) : (
                    <Button aria-label={licenceLabels.textOf(one.name)} onPress={() => setShown(one)}>
                      {licenceLabels.text}
                    </Button>
                  ),
              },
            ]}
          />
        </>
      )}
      <Dialog title={shown === null ? '' : licenceLabels.textOf(shown.name)} open={shown !== null} onClose={close} wide>
        <pre className={styles.licence}>{shown?.text == null ? '' : licences.data?.texts[shown.text]}</pre>
      </Dialog>
    </Panel>
  );
}
