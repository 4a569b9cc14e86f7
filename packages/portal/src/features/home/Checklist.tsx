/** Six steps to the first conversation. Each is ticked when the gateway sees it done, by any means. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../../api/session';
import { fixedText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Icon } from '../../ui/icons';
import { Panel } from '../../ui/Page';
import { statusWord } from '../../ui/Status';
import { Phone } from '../../ui/Values';
import { FirstText } from './FirstText';
import styles from './Home.module.css';
import { type Home, type Step, todoOf } from './home-data';

const labels = labelsOf('home');

/** Replaces the list in the visit in which the last step was done; the next visit does not show it. */
export function JustDone({ home: { checklist } }: { home: Home }) {
  const webhook = checklist.find(({ step }) => step === 'webhook');
  return (
    <p className={styles.past}>
      <Icon name="check" />
      <span>{labels.had}</span>
      <span role="status">{labels.done(checklist.filter(({ done }) => done).length, checklist.length)}</span>
      {webhook !== undefined && (
        <span data-step="webhook">
          <NextTo {...webhook} to={null} />
        </span>
      )}
    </p>
  );
}

export function Checklist({ home }: { home: Home }) {
  const { checklist, first, pair } = home;
  const { environment } = useMe();
  const done = checklist.filter((one) => one.done).length;
  return (
    <Panel title={labels.start} actions={<span role="status">{labels.done(done, checklist.length)}</span>}>
      <ol className={styles.steps}>
        {checklist.map((step) => (
          <li key={step.step} className={step.done ? styles.done : undefined} data-step={step.step}>
            <span className={styles.mark}>
              <Icon name={step.done ? 'check' : 'queued'} />
              <span className="visually-hidden">{step.done ? labels.isDone : labels.isOpen}</span>
            </span>
            <span className={styles.stepTitle}>{labels.steps[step.step].title}</span>
            <span className={styles.stepFacts}>{step.done ? <Seen {...step} /> : todoOf(step, environment)}</span>
            <NextTo {...step} to={first?.to ?? null} />
          </li>
        ))}
      </ol>
      <FirstText first={first} pair={pair} />
    </Panel>
  );
}

function joined(parts: readonly (ReactNode | null)[]): ReactNode {
  return parts
    .filter((part) => part !== null && part !== undefined)
    .map((part, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change their order
      <span key={i}>
        {i > 0 && ' · '}
        {part}
      </span>
    ));
}

function Seen({ step, facts }: Step) {
  const { name, binds, address, number, status, messageId, tookMs, from } = facts;
  switch (step) {
    case 'carrier':
      return joined(name == null ? [labels.connected] : [name, labels.sessions(binds ?? 0), address]);
    case 'number':
      return number == null ? null : <Phone digits={number} />;
    case 'campaign':
      return joined([name, status == null ? null : statusWord(status).toLowerCase()]);
    case 'accepted':
      return joined([
        <code key="id">{messageId?.slice(0, 14)}…</code>,
        tookMs == null ? null : labels.deliveredIn(fixedText(tookMs / 1_000, 1)),
      ]);
    case 'answered':
      return from === undefined ? null : <Phone digits={from} />;
    case 'webhook':
      return null;
  }
}

function NextTo({ step, done, facts, to }: Step & { to: string | null }) {
  const { messageId, endpointId, deliveryId, campaignId } = facts;
  if (step === 'accepted' && messageId !== undefined) {
    return (
      <Link to="/messages/$messageId" params={{ messageId }}>
        {labels.open}
      </Link>
    );
  }
  if (step === 'answered' && !done && to !== null) {
    return (
      <LinkButton to="/handsets/$number" params={{ number: to }} icon="handset">
        {labels.handset}
      </LinkButton>
    );
  }
  if (step === 'webhook' && endpointId !== undefined && deliveryId !== undefined) {
    return (
      <Link to="/webhooks/$endpointId/deliveries/$deliveryId" params={{ endpointId, deliveryId }}>
        {labels.delivery}
      </Link>
    );
  }
  if (step === 'number' && !done) return <Link to="/numbers">{labels.numbers}</Link>;
  if (step === 'campaign' && !done && campaignId !== undefined) {
    return (
      <Link to="/campaigns/$campaignId" params={{ campaignId }}>
        {labels.campaign}
      </Link>
    );
  }
  if (step === 'campaign' && !done) return <Link to="/campaigns">{labels.campaigns}</Link>;
  return null;
}
