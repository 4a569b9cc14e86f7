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

const carrierWords = labelsOf('carrier');
const choiceWords = labelsOf('choice');

const words = carrierWords.detail;

export function CarrierPage() {
  const { carrierId } = useParams({ strict: false });
  const carriers = useCarriers();
  const found = carriers.data?.find((carrier) => carrier.carrierId === carrierId);
  const title = found?.name ?? carrierId ?? '';
  return (
    <Page title={title} crumbs={[{ label: carrierWords.title, to: '/carriers' }, { label: title }]}>
      <Shown of={carriers}>
        {() => (found === undefined ? <Empty title={carrierWords.empty.title} /> : <Detail of={found} />)}
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
          { id: 'links', title: carrierWords.tabs.links, content: <Overview of={of} /> },
          {
            id: 'history',
            title: labelsOf('carrierHistory').tabOfOne,
            content: <CarrierHistory carrierId={of.carrierId} />,
          },
          { id: 'log', title: carrierWords.tabs.log, content: <PduLog of={[of]} /> },
          { id: 'errors', title: carrierWords.tabs.errors, content: <ErrorStatistics of={of.carrierId} /> },
          { id: 'changes', title: carrierWords.tabs.changes, content: <ChangesOf carrierId={of.carrierId} /> },
        ]}
      />
    </>
  );
}

function Actions({ of }: { of: CarrierShown }) {
  const [asked, ask] = useState<'edit' | 'pause' | 'off' | 'backup' | null>(null);
  const acts = useCarrierActs(of.carrierId);
  const switchOn = useCarrierAct(() => switchCarrier(of, true));
  const close = () => ask(null);
  return (
    <>
      {of.isSimulated && <Notice tone="info" title={words.simulated} />}
      <FormFault error={switchOn.error ?? acts.pause.error ?? acts.retry.error} />
      <Row>
        {!of.isSimulated && (
          <Button look="primary" onPress={() => void confirmFirst(() => ask('edit'))}>
            {carrierWords.edit}
          </Button>
        )}
        {of.paused ? (
          <Button onPress={() => acts.pause.mutate(false)}>{carrierWords.card.resume}</Button>
        ) : (
          of.enabled && (
            <Button icon="pause" onPress={() => ask('pause')}>
              {carrierWords.card.pause}
            </Button>
          )
        )}
        {isDown(of) && (
          <Button onPress={() => acts.retry.mutate()} isPending={acts.retry.isPending}>
            {carrierWords.card.tryNow}
          </Button>
        )}
        {of.queue.waiting > 0 && <Button onPress={() => ask('backup')}>{carrierWords.card.backup}</Button>}
        {!of.isSimulated &&
          (of.enabled ? (
            <Button onPress={() => ask('off')}>{words.switchOff}</Button>
          ) : (
            <Button onPress={() => switchOn.mutate()} isPending={switchOn.isPending}>
              {words.switchOn}
            </Button>
          ))}
      </Row>
      {asked === 'edit' && <CarrierForm of={of} onClose={close} />}
      {asked === 'pause' && <PauseDialog of={of} onClose={close} />}
      {asked === 'backup' && <BackupDialog of={of} onClose={close} />}
      {asked === 'off' && <SwitchOffDialog of={of} onClose={close} />}
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
            <Panel title={words.live}>
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
  const secretWord = (name: string) => (of.secrets[name] === true ? words.secretSet : words.secretUnset);
  return groupsOf(kind).map(([group, fields]) => (
    <Panel key={group} title={carrierWords.groups[group] ?? group}>
      <Facts
        facts={fields.map((field) => [
          labelOf(field),
          field.secret ? (
            secretWord(field.name)
          ) : (
            <Value key={field.name} of={settingAt(of.settings, field.name)} choice={choiceWords[field.name]} />
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
    [words.state, <StatusBadge key="state" state={stateOf({ ...carrier, live })} />],
    [words.kind, carrierWords.kind(title, carries)],
    [words.queue, <Count key="queue" value={queue.waiting} />],
    [words.oldest, queue.oldestAt === null ? words.nothing : <Time key="oldest" at={queue.oldestAt} form="relative" />],
    [words.limit, limit],
  ];
  if (carrier.node !== null) facts.push([words.gateway, carrier.node]);
  if (live === null) return facts;
  const { responseP95Ms, outPerSecond, inPerSecond, accepted, receipts, reported } = live;
  const { listening } = live.status;
  return [
    ...facts,
    [words.rates, `${carrierWords.card.out(perSecond(outPerSecond))}, ${carrierWords.card.in(perSecond(inPerSecond))}`],
    [words.responses, responseP95Ms === null ? words.noResponses : carrierWords.test.took(Math.round(responseP95Ms))],
    [words.accepted, <Count key="accepted" value={accepted} />],
    [words.receipts, <Count key="receipts" value={receipts} />],
    [
      words.reported,
      !carrier.asksForReceipts ? (
        carrierWords.card.noReceipts
      ) : reported === null ? (
        words.notReported
      ) : (
        <span key="reported" title={carrierWords.card.reportedHelp(reported.looked)}>
          {carrierWords.card.reported(reported.share, reported.p50Ms)}
        </span>
      ),
    ],
    ...(listening == null ? [] : [[words.listening, `${listening.host}:${listening.port}`] as [string, ReactNode]]),
  ];
}

function Binds({ of }: { of: CarrierLive }) {
  const { binds } = of.status;
  if (binds.length === 0) return <p>{words.noBinds}</p>;
  return (
    <Table
      caption={words.live}
      rows={binds.map((bind, index) => ({ ...bind, number: index + 1 }))}
      keyOf={({ number }) => String(number)}
      columns={[
        { id: 'bind', title: words.bind, cell: ({ kind, number }) => carrierWords.card.bind(kind, number) },
        {
          id: 'state',
          title: words.bindState,
          cell: ({ state, since }) => (
            <Row>
              <StatusBadge state={bindStateOf(state)} />
              <small className={styles.muted}>
                {bindStateOf(state) === 'up' && bindWord(state)} {since !== null && <Time at={since} form="relative" />}
              </small>
            </Row>
          ),
        },
        { id: 'window', title: words.inFlight, figures: true, cell: (bind) => `${bind.inFlight}/${bind.window}` },
        ...(binds.some(({ heardAt }) => heardAt !== null)
          ? [{ id: 'heard', title: words.heard, cell: (bind: CarrierBind & { number: number }) => <Heard of={bind} /> }]
          : []),
        ...(binds.some(({ protocolErrors = 0 }) => protocolErrors > 0)
          ? [
              {
                id: 'errors',
                title: words.protocolErrors,
                figures: true,
                cell: ({ protocolErrors = 0 }: CarrierBind & { number: number }) => <Count value={protocolErrors} />,
              },
            ]
          : []),
        {
          id: 'words',
          title: words.words,
          cell: ({ detail }) => <span className={styles.words}>{detail ?? '—'}</span>,
        },
      ]}
    />
  );
}

function Heard({ of }: { of: CarrierBind }) {
  const sign = lastSign([of]);
  if (sign === null) return words.never;
  return (
    <span>
      <Time at={sign.at} form="relative" />{' '}
      {sign.isLink && <small className={styles.muted}>{carrierWords.card.enquireLink}</small>}
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
  if (typeof of === 'boolean') return of ? words.on : words.offWord;
  const text = Array.isArray(of) ? of.join(', ') : String(of ?? '');
  return <span className={styles.value}>{text === '' ? words.none : text}</span>;
}
