/** States as icon, word and colour: the same words in the portal, the command line and the documentation. */
import { labelsOf } from '../language/labels';
import { Icon, type IconName } from './icons';
import styles from './Status.module.css';

const labels = labelsOf('state');

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

interface Look {
  icon: IconName;
  tone: Tone;
}

type State = keyof typeof labels;

const looks: Readonly<Record<State, Look>> = {
  accepted: { icon: 'queued', tone: 'neutral' },
  queued: { icon: 'queued', tone: 'neutral' },
  sending: { icon: 'sending', tone: 'info' },
  sent: { icon: 'sending', tone: 'info' },
  delivered: { icon: 'check', tone: 'ok' },
  undelivered: { icon: 'cross', tone: 'bad' },
  expired: { icon: 'hourglass', tone: 'warn' },
  failed: { icon: 'cross', tone: 'bad' },
  canceled: { icon: 'cross', tone: 'neutral' },
  unconfirmed: { icon: 'question', tone: 'warn' },
  uncertain: { icon: 'question', tone: 'warn' },
  held: { icon: 'pause', tone: 'warn' },
  received: { icon: 'received', tone: 'info' },
  refused: { icon: 'cross', tone: 'bad' },
  up: { icon: 'check', tone: 'ok' },
  connecting: { icon: 'queued', tone: 'warn' },
  down: { icon: 'cross', tone: 'bad' },
  paused: { icon: 'pause', tone: 'neutral' },
  draft: { icon: 'queued', tone: 'neutral' },
  submitted: { icon: 'sending', tone: 'info' },
  in_review: { icon: 'hourglass', tone: 'info' },
  changes_needed: { icon: 'warning', tone: 'warn' },
  approved: { icon: 'check', tone: 'ok' },
  suspended: { icon: 'pause', tone: 'bad' },
  active: { icon: 'check', tone: 'ok' },
  waiting: { icon: 'queued', tone: 'warn' },
  healthy: { icon: 'check', tone: 'ok' },
  failing: { icon: 'warning', tone: 'bad' },
  disabled: { icon: 'pause', tone: 'neutral' },
  revoked: { icon: 'cross', tone: 'bad' },
};

function isState(state: string): state is State {
  return Object.hasOwn(labels, state);
}

export function statusWord(state: string): string {
  return isState(state) ? labels[state] : state;
}

export function StatusBadge({ state }: { state: string }) {
  const { tone, icon }: Look = isState(state) ? looks[state] : { tone: 'neutral', icon: 'info' };
  return <Badge tone={tone} icon={icon} word={statusWord(state)} />;
}

export function Badge({ tone, icon, word }: { tone: Tone; icon: IconName; word: string }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
