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

const upkeepWords = labelsOf('upkeep');

const words = upkeepWords.about;
const healthWords = upkeepWords.health;
const licenceWords = upkeepWords.licences;

export function AboutPage() {
  const about = useAbout();
  return (
    <SettingsPage title={words.title}>
      <Shown of={about}>{(data) => <Made about={data} />}</Shown>
      <HealthPanel />
      <Licences />
    </SettingsPage>
  );
}

function Made({ about }: { about: GatewayAbout }) {
  const { version, build, node, store, machine } = about;
  const facts: [string, string][] = [
    [words.version, version],
    [words.build, build ?? words.unknown],
    [words.node, node],
    [words.store, `${words.engines[store.engine]} ${store.engineVersion}`],
    [words.schema, String(store.schemaVersion)],
    ...(machine === null
      ? []
      : ([
          [words.size, sizeText(machine.bytes)],
          [words.platform, machine.platform],
        ] satisfies [string, string][])),
  ];
  const text = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <Panel title={words.made} actions={<CopyButton value={text} what={words.copy} />}>
      <Facts
        facts={[
          ...facts,
          ...(machine === null ? [] : [[words.since, <Time key="since" at={machine.startedAt} />] as const]),
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
      title={healthWords.title}
      actions={
        operator && (
          <Button onPress={() => void health.refetch()} isPending={health.isFetching}>
            {healthWords.again}
          </Button>
        )
      }
    >
      {operator ? <Shown of={health}>{(data) => <Findings health={data} />}</Shown> : <p>{healthWords.operatorOnly}</p>}
    </Panel>
  );
}

function Findings({ health: { findings, skewSeconds, at } }: { health: Health }) {
  const { clock } = healthWords;
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
        {ill.length === 0 ? healthWords.allWell : healthWords.notWell(ill.length)}{' '}
        <span className={styles.muted}>
          {healthWords.lookedAt} <Time at={at} />
        </span>
      </p>
      <Table
        caption={healthWords.caption}
        rows={[...ill, ...rows.filter(({ ok }) => ok)]}
        keyOf={({ what }) => what}
        columns={[
          { id: 'what', title: healthWords.what, cell: ({ what }) => what },
          {
            id: 'state',
            title: healthWords.state,
            cell: ({ ok }) => (
              <Badge
                tone={ok ? 'ok' : 'warn'}
                icon={ok ? 'check' : 'warning'}
                word={ok ? healthWords.well : healthWords.ill}
              />
            ),
          },
          { id: 'detail', title: healthWords.detail, cell: ({ detail }) => detail },
          { id: 'fix', title: healthWords.fix, cell: ({ fix }) => fix ?? healthWords.none },
        ]}
      />
    </>
  );
}

function Licences() {
  const [asked, setAsked] = useState(false);
  const [shown, setShown] = useState<Shipped | null>(null);
  const licences = useLicences(asked);
  const close = () => setShown(null);
  return (
    <Panel title={licenceWords.title}>
      <p>{licenceWords.own}</p>
      {!asked && (
        <Row>
          <Button onPress={() => setAsked(true)}>{licenceWords.show}</Button>
        </Row>
      )}
      {licences.isError && <Notice tone="warn" title={licenceWords.missing} />}
      {licences.data !== undefined && (
        <>
          <p role="status">{licenceWords.count(licences.data.packages.length)}</p>
          <Table
            caption={licenceWords.caption}
            rows={licences.data.packages}
            keyOf={({ name, version }) => `${name} ${version}`}
            columns={[
              { id: 'name', title: licenceWords.name, cell: ({ name }) => <code>{name}</code> },
              { id: 'version', title: licenceWords.version, cell: ({ version }) => version },
              { id: 'licence', title: licenceWords.licence, cell: ({ licence }) => licence },
              {
                id: 'text',
                title: licenceWords.text,
                cell: (one) =>
                  one.text === null ? (
                    <span className={styles.muted}>{licenceWords.noText}</span>
                  ) : (
                    <Button aria-label={licenceWords.textOf(one.name)} onPress={() => setShown(one)}>
                      {licenceWords.text}
                    </Button>
                  ),
              },
            ]}
          />
        </>
      )}
      <Dialog title={shown === null ? '' : licenceWords.textOf(shown.name)} open={shown !== null} onClose={close} wide>
        <pre className={styles.licence}>{shown?.text == null ? '' : licences.data?.texts[shown.text]}</pre>
      </Dialog>
    </Panel>
  );
}
