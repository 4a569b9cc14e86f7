/** One carrier at a glance: its link, its last sign of life, its traffic, and what is waiting and why. */
import { useState } from 'react';
import type { CarrierBind, CarrierLive, CarrierShown } from '../../api/routes/carriers';
import { fixedText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Row } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { Badge, StatusBadge, statusWord } from '../../ui/Status';
import { Time } from '../../ui/Values';
import { BackupDialog } from './BackupDialog';
import { PauseDialog } from './CarrierDialogs';
import styles from './Carriers.module.css';
import { bindStateOf, isDown, lastSign, stateOf } from './carriers';
import { useCarrierActs } from './use-carrier-acts';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.card;

export function CarrierCard({ of }: { of: CarrierShown }) {
  const { carrierId, name, kindTitle, paused, live, log, isSimulated, queue, limit } = of;
  const [dialog, showDialog] = useState<'pause' | 'backup' | null>(null);
  const close = () => showDialog(null);
  const acts = useCarrierActs(carrierId);
  const logUntil = log?.until ?? null;
  const daysLeft = live?.status.certificate?.daysLeft ?? null;
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.cardHead}>
        <h2>{name}</h2>
        <StatusBadge state={stateOf(of)} />
      </div>
      <p className={styles.muted}>
        {carrierId} · {kindTitle}
        {of.usesTls && ` ${carrierLabels.withTls}`} {isSimulated && `· ${carrierLabels.simulated}`}
        {of.node !== null && ` · ${labels.node(of.node)}`}
      </p>
      {live !== null && <LiveFigures live={live} carrier={of} />}
      {queue.waiting > 0 && queue.oldestAt !== null && (
        <p>
          {labels.waiting(queue.waiting)} <Time at={queue.oldestAt} form="relative" />
        </p>
      )}
      <p className={styles.words}>
        <span className={styles.muted}>{labels.limit}</span> {limit}
      </p>
      {daysLeft !== null && (
        <p>
          <Badge tone={daysLeft < 0 ? 'bad' : 'warn'} icon="warning" word={labels.certificate(daysLeft)} />
        </p>
      )}
      {logUntil !== null && (
        <p>
          <Badge tone="info" icon="info" word={labels.logging} /> <Time at={logUntil} />
        </p>
      )}
      <FormFault error={acts.pause.error ?? acts.log.error ?? acts.retry.error} />
      <Row>
        {isDown(of) && (
          <Button onPress={() => acts.retry.mutate()} isPending={acts.retry.isPending}>
            {labels.tryNow}
          </Button>
        )}
        {queue.waiting > 0 && <Button onPress={() => showDialog('backup')}>{labels.backup}</Button>}
        {paused ? (
          <Button onPress={() => acts.pause.mutate(false)} isPending={acts.pause.isPending}>
            {labels.resume}
          </Button>
        ) : (
          of.enabled && (
            <Button icon="pause" onPress={() => showDialog('pause')}>
              {labels.pause}
            </Button>
          )
        )}
        {log !== null && (
          <Button onPress={() => acts.log.mutate(logUntil === null ? 5 : 0)} isPending={acts.log.isPending}>
            {logUntil === null ? labels.log : labels.stopLog}
          </Button>
        )}
        <LinkButton to="/carriers/$carrierId" params={{ carrierId }}>
          {carrierLabels.open} <span className="visually-hidden">{name}</span>
        </LinkButton>
      </Row>
      {dialog === 'pause' && <PauseDialog of={of} onClose={close} />}
      {dialog === 'backup' && <BackupDialog of={of} onClose={close} />}
    </article>
  );
}

function LiveFigures({ live, carrier }: { live: CarrierLive; carrier: CarrierShown }) {
  const { binds } = live.status;
  const window = binds.reduce((sum, bind) => sum + bind.window, 0);
  const used = binds.reduce((sum, bind) => sum + bind.inFlight, 0);
  return (
    <>
      <BindLines of={binds} shownText={carrier.limit} />
      <p className={styles.muted}>
        {live.status.up ? labels.upSince : labels.downSince} <Time at={live.since} />
        {window > 0 && ` · ${labels.window(used, window)}`}
      </p>
      <p className={styles.figures}>
        <span>{labels.out(perSecond(live.outPerSecond))}</span>
        <History counts={live.outHistory} />
        <span>{labels.in(perSecond(live.inPerSecond))}</span>
        <span>{labels.queue(carrier.queue.waiting)}</span>
      </p>
      <p className={`${styles.figures} ${styles.muted}`}>
        {live.responseP95Ms !== null && <span>{labels.p95(Math.round(live.responseP95Ms))}</span>}
        {carrier.asksForReceipts ? (
          <span title={live.reported === null ? undefined : labels.reportedHelp(live.reported.looked)}>
            {live.reported === null
              ? labels.receipts(live.receipts)
              : labels.reported(live.reported.share, live.reported.p50Ms)}
          </span>
        ) : (
          <span>{labels.noReceipts}</span>
        )}
      </p>
    </>
  );
}

/**
 * The first few connections, each with its state in words; a card cannot hold many. The card already shows `shownText`.
 */
function BindLines({ of, shownText }: { of: readonly CarrierBind[]; shownText: string }) {
  const rest = of.slice(linesMax);
  return (
    <ul className={styles.binds}>
      {of.slice(0, linesMax).map((bind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a connection is identified by its index
        <li key={index}>
          <BindLine of={bind} number={index + 1} shownText={shownText} />
        </li>
      ))}
      {rest.length > 0 && (
        <li>{labels.more(rest.length, rest.filter(({ state }) => bindStateOf(state) === 'up').length)}</li>
      )}
    </ul>
  );
}

const linesMax = 4;

function BindLine({ of: bind, number, shownText }: { of: CarrierBind; number: number; shownText: string }) {
  const state = bindStateOf(bind.state);
  const sign = state === 'up' ? lastSign([bind]) : null;
  return (
    <>
      <span className={styles.bindName}>{labels.bind(bind.kind, number)}</span> {bindWord(bind.state)}
      {bind.since !== null && (
        <>
          {state !== 'up' && ` · ${labels.lost}`} <Time at={bind.since} form="relative" />
        </>
      )}
      {sign !== null && (
        <>
          {' · '}
          {sign.isLink ? labels.enquireLink : labels.heard} <Time at={sign.at} form="relative" />
        </>
      )}
      {state !== 'up' && bind.detail !== null && !shownText.includes(bind.detail) && (
        <span className={styles.words}> · {bind.detail}</span>
      )}
    </>
  );
}

/** The name of a connection, as on all pages. */
export function bindWord(state: string): string {
  const shown = bindStateOf(state);
  if (shown !== 'up') return statusWord(shown).toLowerCase();
  return state.startsWith('bound_') ? labels.bound : labels.reachable;
}

export function perSecond(value: number): string {
  return fixedText(value, value >= 10 || value === 0 ? 0 : 1);
}

/** The last five minutes as a row of bars, with a sentence for screen readers. */
function History({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <svg className={styles.history} viewBox={`0 0 ${counts.length * 4} 20`} role="img" preserveAspectRatio="none">
      <title>{labels.history(total)}</title>
      {counts.map((count, index) => {
        const height = Math.max(1, Math.round((count / most) * 19));
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its index
        return <rect key={index} x={index * 4} y={20 - height} width="3" height={height} fill="currentColor" />;
      })}
    </svg>
  );
}
