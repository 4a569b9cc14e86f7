/** One carrier: its link now, its settings in groups, its PDU log and its changes; for operators. */
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { confirmFirst } from '../../api/client';
import type { CarrierBind, CarrierKindShown, CarrierLive, CarrierShown } from '../../api/routes/carriers';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Facts, Page, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Count, Time } from '../../ui/Values';
import { CarrierHistory } from '../carrier-history/CarrierHistory';
import { BackupDialog } from './BackupDialog';
import { bindWord, perSecond } from './CarrierCard';
import { PauseDialog, SwitchOffDialog } from './CarrierDialogs';
import { CarrierForm } from './CarrierForm';
import styles from './Carriers.module.css';
import { CertificatePanel } from './Certificate';
import { ChangesOf } from './Changes';
import { ConnectionTest } from './ConnectionTest';
import { groupsOf, kindNamed, settingAt, useKinds } from './carrier-settings';
import { bindStateOf, isDown, lastSign, stateOf, useCarriers } from './carriers';
import { ErrorStatistics } from './Errors';
import { PduLog } from './PduLog';
import { labelOf } from './SettingEntry';
import { switchCarrier, useCarrierAct, useCarrierActs } from './use-carrier-acts';

const carrierLabels = labelsOf('carrier');
const choiceLabels = labelsOf('choice');

const labels = carrierLabels.detail;

export function CarrierPage() {
  const { carrierId } = useParams({ strict: false });
  const carriers = useCarriers();
  const found = carriers.data?.find((carrier) => carrier.carrierId === carrierId);
  const title = found?.name ?? carrierId ?? '';
  return (
    <Page title={title} crumbs={[{ label: carrierLabels.title, to: '/carriers' }, { label: title }]}>
      <Shown of={carriers}>
        {() => (found === undefined ? <Empty title={carrierLabels.empty.title} /> : <Detail of={found} />)}
      </Shown>
    </Page>
  );
}

function Detail({ of }: { of: CarrierShown }) {
  const [tab, setTab] = useUrlText('tab');
  return (
    <>
      <Actions of={of} />
      <Tabs
        label={of.name}
        selected={tab === '' ? 'links' : tab}
        onSelect={(id) => setTab(id === 'links' ? '' : id)}
        tabs={[
          { id: 'links', title: carrierLabels.tabs.links, content: <Overview of={of} /> },
          {
            id: 'history',
            title: labelsOf('carrierHistory').tabOfOne,
            content: <CarrierHistory carrierId={of.carrierId} />,
          },
          { id: 'log', title: carrierLabels.tabs.log, content: <PduLog of={[of]} /> },
          { id: 'errors', title: carrierLabels.tabs.errors, content: <ErrorStatistics of={of.carrierId} /> },
          { id: 'changes', title: carrierLabels.tabs.changes, content: <ChangesOf carrierId={of.carrierId} /> },
        ]}
      />
    </>
  );
}

function Actions({ of }: { of: CarrierShown }) {
  const [dialog, showDialog] = useState<'edit' | 'pause' | 'off' | 'backup' | null>(null);
  const acts = useCarrierActs(of.carrierId);
  const switchOn = useCarrierAct(() => switchCarrier(of, true));
  const close = () => showDialog(null);
  return (
    <>
      {of.isSimulated && <Notice tone="info" title={labels.simulated} />}
      <FormFault error={switchOn.error ?? acts.pause.error ?? acts.retry.error} />
      <Row>
        {!of.isSimulated && (
          <Button look="primary" onPress={() => void confirmFirst(() => showDialog('edit'))}>
            {carrierLabels.edit}
          </Button>
        )}
        {of.paused ? (
          <Button onPress={() => acts.pause.mutate(false)}>{carrierLabels.card.resume}</Button>
        ) : (
          of.enabled && (
            <Button icon="pause" onPress={() => showDialog('pause')}>
              {carrierLabels.card.pause}
            </Button>
          )
        )}
        {isDown(of) && (
          <Button onPress={() => acts.retry.mutate()} isPending={acts.retry.isPending}>
            {carrierLabels.card.tryNow}
          </Button>
        )}
        {of.queue.waiting > 0 && <Button onPress={() => showDialog('backup')}>{carrierLabels.card.backup}</Button>}
        {!of.isSimulated &&
          (of.enabled ? (
            <Button onPress={() => showDialog('off')}>{labels.switchOff}</Button>
          ) : (
            <Button onPress={() => switchOn.mutate()} isPending={switchOn.isPending}>
              {labels.switchOn}
            </Button>
          ))}
      </Row>
      {dialog === 'edit' && <CarrierForm of={of} onClose={close} />}
      {dialog === 'pause' && <PauseDialog of={of} onClose={close} />}
      {dialog === 'backup' && <BackupDialog of={of} onClose={close} />}
      {dialog === 'off' && <SwitchOffDialog of={of} onClose={close} />}
    </>
  );
}

function Overview({ of }: { of: CarrierShown }) {
  const kinds = useKinds();
  return (
    <Shown of={kinds}>
      {(list) => {
        const kind = kindNamed(list, of.kind);
        return (
          <>
            <Panel title={labels.live}>
              <Facts facts={factsOf(of, kind)} />
              {of.live !== null && <Binds of={of.live} />}
              <ConnectionTest record={() => ({ id: of.carrierId })} />
            </Panel>
            <CertificatePanel of={of} />
            <Settings of={of} kind={kind} />
          </>
        );
      }}
    </Shown>
  );
}

function Settings({ of, kind }: { of: CarrierShown; kind: CarrierKindShown }) {
  const secretWord = (name: string) => (of.secrets[name] === true ? labels.secretSet : labels.secretUnset);
  return groupsOf(kind).map(([group, fields]) => (
    <Panel key={group} title={carrierLabels.groups[group] ?? group}>
      <Facts
        facts={fields.map((field) => [
          labelOf(field),
          field.secret ? (
            secretWord(field.name)
          ) : (
            <Value key={field.name} of={settingAt(of.settings, field.name)} choice={choiceLabels[field.name]} />
          ),
        ])}
      />
    </Panel>
  ));
}

function factsOf(
  { live, queue, limit, ...carrier }: CarrierShown,
  { title, carries }: CarrierKindShown,
): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
    [labels.state, <StatusBadge key="state" state={stateOf({ ...carrier, live })} />],
    [labels.kind, carrierLabels.kind(title, carries)],
    [labels.queue, <Count key="queue" value={queue.waiting} />],
    [
      labels.oldest,
      queue.oldestAt === null ? labels.nothing : <Time key="oldest" at={queue.oldestAt} form="relative" />,
    ],
    [labels.limit, limit],
  ];
  if (carrier.node !== null) facts.push([labels.gateway, carrier.node]);
  if (live === null) return facts;
  const { responseP95Ms, outPerSecond, inPerSecond, accepted, receipts, reported } = live;
  const { listening } = live.status;
  return [
    ...facts,
    [
      labels.rates,
      `${carrierLabels.card.out(perSecond(outPerSecond))}, ${carrierLabels.card.in(perSecond(inPerSecond))}`,
    ],
    [
      labels.responses,
      responseP95Ms === null ? labels.noResponses : carrierLabels.test.took(Math.round(responseP95Ms)),
    ],
    [labels.accepted, <Count key="accepted" value={accepted} />],
    [labels.receipts, <Count key="receipts" value={receipts} />],
    [
      labels.reported,
      !carrier.asksForReceipts ? (
        carrierLabels.card.noReceipts
      ) : reported === null ? (
        labels.notReported
      ) : (
        <span key="reported" title={carrierLabels.card.reportedHelp(reported.looked)}>
          {carrierLabels.card.reported(reported.share, reported.p50Ms)}
        </span>
      ),
    ],
    ...(listening == null ? [] : [[labels.listening, `${listening.host}:${listening.port}`] as [string, ReactNode]]),
  ];
}

function Binds({ of }: { of: CarrierLive }) {
  const { binds } = of.status;
  if (binds.length === 0) return <p>{labels.noBinds}</p>;
  return (
    <Table
      caption={labels.live}
      rows={binds.map((bind, index) => ({ ...bind, number: index + 1 }))}
      keyOf={({ number }) => String(number)}
      columns={[
        { id: 'bind', title: labels.bind, cell: ({ kind, number }) => carrierLabels.card.bind(kind, number) },
        {
          id: 'state',
          title: labels.bindState,
          cell: ({ state, since }) => (
            <Row>
              <StatusBadge state={bindStateOf(state)} />
              <small className={styles.muted}>
                {bindStateOf(state) === 'up' && bindWord(state)} {since !== null && <Time at={since} form="relative" />}
              </small>
            </Row>
          ),
        },
        { id: 'window', title: labels.inFlight, figures: true, cell: (bind) => `${bind.inFlight}/${bind.window}` },
        ...(binds.some(({ heardAt }) => heardAt !== null)
          ? [
              {
                id: 'heard',
                title: labels.heard,
                cell: (bind: CarrierBind & { number: number }) => <Heard of={bind} />,
              },
            ]
          : []),
        ...(binds.some(({ protocolErrors = 0 }) => protocolErrors > 0)
          ? [
              {
                id: 'errors',
                title: labels.protocolErrors,
                figures: true,
                cell: ({ protocolErrors = 0 }: CarrierBind & { number: number }) => <Count value={protocolErrors} />,
              },
            ]
          : []),
        {
          id: 'words',
          title: labels.lastDetail,
          cell: ({ detail }) => <span className={styles.words}>{detail ?? '—'}</span>,
        },
      ]}
    />
  );
}

function Heard({ of }: { of: CarrierBind }) {
  const sign = lastSign([of]);
  if (sign === null) return labels.never;
  return (
    <span>
      <Time at={sign.at} form="relative" />{' '}
      {sign.isLink && <small className={styles.muted}>{carrierLabels.card.enquireLink}</small>}
    </span>
  );
}

/** The words for a choice, with the setting's own value beside them. */
function Value({ of, choice = {} }: { of: unknown; choice?: Readonly<Record<string, string>> }) {
  const plain = typeof of === 'string' ? choice[of] : undefined;
  if (plain !== undefined) {
    return (
      <span className={styles.value}>
        {plain} <small className={styles.muted}>{String(of)}</small>
      </span>
    );
  }
  if (typeof of === 'boolean') return of ? labels.on : labels.offWord;
  const text = Array.isArray(of) ? of.join(', ') : String(of ?? '');
  return <span className={styles.value}>{text === '' ? labels.none : text}</span>;
}
